"""The system calls that a sealed process may use, with their numbers on x86-64 and on 64-bit ARM.

All others fail with EPERM: sockets, new processes, other programs, tracing, mounts, namespaces, keys, changed permissions.
None: the system call does not exist on this processor.
"""

Numbers = dict[str, tuple[int | None, int | None]]

ALLOWED: Numbers = {
    # the most frequent first
    "read": (0, 63), "write": (1, 64), "futex": (202, 98), "mmap": (9, 222), "munmap": (11, 215), "brk": (12, 214),
    "madvise": (28, 233), "mprotect": (10, 226), "clock_gettime": (228, 113), "close": (3, 57), "openat": (257, 56),
    "newfstatat": (262, 79), "fstat": (5, 80), "lseek": (8, 62), "rt_sigprocmask": (14, 135),
    # files
    "open": (2, None), "openat2": (437, 437), "stat": (4, None), "lstat": (6, None), "statx": (332, 291),
    "access": (21, None), "faccessat": (269, 48), "faccessat2": (439, 439), "statfs": (137, 43),
    "fstatfs": (138, 44), "readlink": (89, None), "readlinkat": (267, 78), "getdents": (78, None),
    "getdents64": (217, 61), "getcwd": (79, 17), "chdir": (80, 49), "fchdir": (81, 50), "pread64": (17, 67),
    "pwrite64": (18, 68), "readv": (19, 65), "writev": (20, 66), "preadv": (295, 69), "pwritev": (296, 70),
    "preadv2": (327, 286), "pwritev2": (328, 287), "copy_file_range": (326, 285), "sendfile": (40, 71),
    "close_range": (436, 436), "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24), "pipe": (22, None),
    "pipe2": (293, 59), "flock": (73, 32), "fsync": (74, 82), "fdatasync": (75, 83), "sync_file_range": (277, 84),
    "truncate": (76, 45), "ftruncate": (77, 46), "fallocate": (285, 47), "fadvise64": (221, 223),
    "rename": (82, None), "renameat": (264, 38), "renameat2": (316, 276), "mkdir": (83, None), "mkdirat": (258, 34),
    "rmdir": (84, None), "unlink": (87, None), "unlinkat": (263, 35), "link": (86, None), "linkat": (265, 37),
    "symlink": (88, None), "symlinkat": (266, 36), "umask": (95, 166), "readahead": (187, 213),
    # memory
    "mremap": (25, 216), "msync": (26, 227), "mincore": (27, 232), "get_mempolicy": (239, 236),
    "membarrier": (324, 283),
    # waiting
    "poll": (7, None), "ppoll": (271, 73), "select": (23, None), "pselect6": (270, 72), "epoll_create": (213, None),
    "epoll_create1": (291, 20), "epoll_ctl": (233, 21), "epoll_wait": (232, None), "epoll_pwait": (281, 22),
    "epoll_pwait2": (441, 441), "eventfd": (284, None), "eventfd2": (290, 19), "timerfd_create": (283, 85),
    "timerfd_settime": (286, 86), "timerfd_gettime": (287, 87),
    # clocks
    "clock_getres": (229, 114), "clock_nanosleep": (230, 115), "gettimeofday": (96, 169), "time": (201, None),
    "nanosleep": (35, 101), "times": (100, 153), "getitimer": (36, 102), "setitimer": (38, 103),
    "alarm": (37, None), "timer_create": (222, 107), "timer_settime": (223, 110), "timer_gettime": (224, 108),
    "timer_getoverrun": (225, 109), "timer_delete": (226, 111),
    # signals
    "rt_sigaction": (13, 134), "rt_sigreturn": (15, 139), "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137), "rt_sigsuspend": (130, 133), "sigaltstack": (131, 132), "pause": (34, None),
    "signalfd": (282, None), "signalfd4": (289, 74), "restart_syscall": (219, 128),
    # process
    "getpid": (39, 172), "gettid": (186, 178), "getppid": (110, 173), "getuid": (102, 174), "geteuid": (107, 175),
    "getgid": (104, 176), "getegid": (108, 177), "getresuid": (118, 148), "getresgid": (120, 150),
    "getgroups": (115, 158), "getpgid": (121, 155), "getpgrp": (111, None), "getsid": (124, 156),
    "getpriority": (140, 141), "getrlimit": (97, 163), "setrlimit": (160, 164), "getrusage": (98, 165),
    "uname": (63, 160), "sysinfo": (99, 179), "sched_yield": (24, 124), "sched_getaffinity": (204, 123),
    "sched_getscheduler": (145, 120), "sched_getparam": (143, 121), "sched_get_priority_max": (146, 125),
    "sched_get_priority_min": (147, 126), "getcpu": (309, 168), "getrandom": (318, 278), "capget": (125, 90),
    "exit": (60, 93), "exit_group": (231, 94), "wait4": (61, 260), "waitid": (247, 95),
    "set_tid_address": (218, 96), "set_robust_list": (273, 99), "rseq": (334, 293), "arch_prctl": (158, None),
    "futex_waitv": (449, 449),
}  # fmt: skip

# Allowed only with certain arguments (seccomp.py).
CONDITIONAL: Numbers = {
    "clone": (56, 220), "fcntl": (72, 25), "ioctl": (16, 29), "kill": (62, 129), "tgkill": (234, 131),
    "tkill": (200, 130), "prctl": (157, 167), "prlimit64": (302, 261), "clone3": (435, 435),
}  # fmt: skip
