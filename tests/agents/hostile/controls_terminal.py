"""Raise an error whose text, class and file name contain HTML, a formula, terminal escapes and half a character."""

CODE = """
def fail():
    raise Bad("=HYPERLINK(1)\\x1b[2J\\x1b]0;title\\x07\\u202e\\ud800\\x00</script><script>alert(1)</script>")
"""


class Bad(Exception):
    pass


Bad.__name__ = "=1+1\x1b[31m<img src=x onerror=alert(1)>"


class Hostile:
    def __init__(self, target):
        self.target = target

    def act(self, obs, info):
        space = {"Bad": Bad}
        exec(compile(CODE, "</td><script>alert(2)</script>\x1b[2J.py", "exec"), space)
        space["fail"]()
