"""The scale of learned values, in logits: the hyperbolic tangent is the expected result.

0 is a draw, 1 logit an expected result of 0.76, where a win is 1.  Evaluators answer whole
numbers, so their values are in thousandths of a logit.
"""

THOUSAND = 1000
UNIT = 300  # a small but clear advantage: an expected result of 0.29
