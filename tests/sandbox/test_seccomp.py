"""Tests of the system call filter, with an interpreter for its instructions and for both processors."""

import errno

import pytest

from shoverworld.sandbox.seccomp import program
from shoverworld.sandbox.syscalls import ALLOWED, CONDITIONAL

PID = 4711
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
ALLOW, KILL = "allow", "kill"
# Numbers on x86-64 and 64-bit ARM, from the kernel's tables.
FORBIDDEN = {
    "socket": (41, 198), "connect": (42, 203), "bind": (49, 200), "execve": (59, 221), "execveat": (322, 281),
    "ptrace": (101, 117), "process_vm_writev": (311, 271), "process_vm_readv": (310, 270), "mount": (165, 40),
    "unshare": (272, 97), "setns": (308, 268), "keyctl": (250, 219), "bpf": (321, 280), "perf_event_open": (298, 241),
    "io_uring_setup": (425, 425), "userfaultfd": (323, 282), "pidfd_send_signal": (424, 424), "pidfd_getfd": (438, 438),
    "rt_sigqueueinfo": (129, 138), "memfd_create": (319, 279), "shmget": (29, 194), "setuid": (105, 146),
    "fchmodat": (268, 53), "open_by_handle_at": (304, 265), "init_module": (175, 105), "reboot": (169, 142),
    "setpriority": (140 + 1, 140), "sched_setaffinity": (203, 122), "kexec_load": (246, 104), "chroot": (161, 51),
}  # fmt: skip


def decide(machine, number, *arguments, architecture=None):
    """Run the filter as the kernel does. Return what it decides: allow, kill or the number of an error."""
    own = ARCHITECTURES[machine][1] if architecture is None else architecture
    data = {0: number, 4: own, **{16 + 8 * place: value & 0xFFFFFFFF for place, value in enumerate(arguments)}}
    place = value = 0
    code = program(machine, PID)
    while True:
        opcode, if_true, if_false, operand = code[place]
        place += 1
        if opcode == 0x20:
            value = data.get(operand, 0)
        elif opcode == 0x15:
            place += if_true if value == operand else if_false
        elif opcode == 0x45:
            place += if_true if value & operand else if_false
        else:
            assert opcode == 0x06
            return {0x7FFF0000: ALLOW, 0x80000000: KILL}.get(operand) or operand & 0xFFFF


@pytest.fixture(params=ARCHITECTURES)
def call(request):
    """A function that asks the filter about a system call by name."""
    column = ARCHITECTURES[request.param][0]

    def call(name, *arguments):
        numbers = {**ALLOWED, **CONDITIONAL, **FORBIDDEN}[name]
        return decide(request.param, numbers[column], *arguments)

    return call


def test_everything_that_is_not_listed_is_refused(call):
    for name in FORBIDDEN:
        assert call(name) == errno.EPERM, name


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_the_filter_allows_the_listed_calls_and_no_others(machine):
    column = ARCHITECTURES[machine][0]
    allowed = {numbers[column] for numbers in ALLOWED.values()} - {None}
    conditional = {numbers[column] for numbers in CONDITIONAL.values()}
    for number in range(1024):
        if number not in conditional:
            assert (decide(machine, number) == ALLOW) == (number in allowed), number
    assert decide(machine, 0x4000_0000 | 1) == errno.EPERM  # the x32 variant of a system call
    assert decide(machine, 0, architecture=0x40000003) == KILL  # 32-bit code has other numbers


def test_threads_are_allowed_and_processes_are_not(call):
    assert call("clone", 0x3D0F00) == ALLOW  # what glibc passes for a thread
    assert call("clone", 0x01200011) == errno.EPERM  # fork
    assert call("clone", 0x4111) == errno.EPERM  # vfork
    assert call("clone", 0x3D0F00 | 0x10000000) == errno.EPERM  # a thread in a new user namespace
    assert call("clone3") == errno.ENOSYS


def test_signals_reach_only_the_process_itself(call):
    for name in ("kill", "tgkill", "tkill"):
        assert call(name, PID, 9) == ALLOW
        for other in (1, 0, -1, -PID, PID + 1):
            assert call(name, other, 9) == errno.EPERM
    for command in (8, 10, 15):  # F_SETOWN, F_SETSIG, F_SETOWN_EX
        assert call("fcntl", 3, command) == errno.EPERM
    assert call("fcntl", 3, 4) == ALLOW  # F_SETFL


def test_arguments_of_other_calls_are_checked(call):
    assert call("ioctl", 0, 0x5401) == ALLOW and call("ioctl", 0, 0x5412) == errno.ENOTTY  # TCGETS, TIOCSTI
    assert call("prctl", 15) == ALLOW and call("prctl", 1) == errno.EPERM  # PR_SET_NAME, PR_SET_PDEATHSIG
    assert call("prlimit64", 0) == ALLOW and call("prlimit64", PID + 1) == errno.EPERM
