"""A yes names a plan with its seal, and whoever said it."""

from __future__ import annotations

from lastlook import ActionPlan, Lastlook

look = Lastlook(sources={"slots": {}}, store="memory")


def answer(plan: ActionPlan, plan_id: str) -> None:
    look.confirm(plan, by="ana")
    look.confirm(plan_id, seal=plan.seal, by="ana")
    look.confirm(plan_id, by="ana")  # E: call-overload
    look.confirm(plan)  # E: call-overload
    look.confirm(plan, "ana")  # E: call-overload
    look.confirm(True, by="ana")  # E: call-overload
    look.dispatch(True)  # E: arg-type
    look.reject(plan)  # E: call-arg
    reveal_type(look.get(plan_id)[0])  # R: ActionPlan
    plan.intent = "another"  # E: misc
    look.propose("Book it", [])  # E: call-arg
