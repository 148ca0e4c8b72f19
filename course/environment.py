"""The environment with the course's API: `obs = env.reset()`, a 4-tuple from `step` and an int32 grid."""

from shoverworld.course.environment import ShoverWorldEnv

__all__ = ["ShoverWorldEnv"]
