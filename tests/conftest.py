"""What all tests need."""

import signal
import threading

# Whoever runs the tests in the background (`make test &`) has Ctrl-C ignored there, in all that is started from here,
# too. Tests that press it want it heard.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)
