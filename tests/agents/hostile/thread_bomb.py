"""Start threads without end."""

import threading
import time


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        threading.stack_size(1 << 16)
        while True:
            threading.Thread(target=time.sleep, args=(1000,)).start()
