"""From a stored question to its outcome: confirm, claim, check, act, record, renew."""
