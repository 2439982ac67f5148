"""How learned values are counted: their hyperbolic tangent is the expected result.

A value of 0 is a draw, of 1 logit 76 % of the way to a sure win.  Evaluators answer whole
numbers, so there values are thousandths.
"""

THOUSAND = 1000
UNIT = 300  # a small but clear advantage: 29 % of the way
