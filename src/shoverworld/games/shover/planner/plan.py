"""ShoverPlan, the result of `solve`."""

from dataclasses import dataclass, field

from shoverworld.core.plan import Plan, PlanError, Playable


@dataclass(frozen=True)
class ShoverPlan(Plan):
    """A plan that clears a map. See `Plan` for the other fields.

    actions: (row, col, z) tuples. `cost` and `lower_bound` count steps for both objectives.
    final_stamina: the stamina left at the end. stamina_bound: an upper bound on the final stamina of any plan.
    """

    actions: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    final_stamina: float = 0.0
    stamina_bound: float = float("inf")

    def verify(self, env: Playable) -> None:
        """Play the plan. Raise PlanError unless the plan clears the map and ends with `final_stamina`."""
        super().verify(env)
        stamina = env.unwrapped.figures()["stamina"]
        if self.actions and stamina != self.final_stamina:
            raise PlanError(f"the plan ends with stamina {stamina:g}; expected {self.final_stamina:g}")
