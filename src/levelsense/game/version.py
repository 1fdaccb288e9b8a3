"""The version of the rules, which every stored attempt carries."""

# A change of docs/rules.md that can change any attempt adds one: stored attempts of older rules are then kept
# apart and never mixed with new ones. The golden transcripts in tests/golden show when that is due.
RULES_VERSION = 2
