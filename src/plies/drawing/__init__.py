"""How positions look: the geometry of boards, as text and as pictures; moves as words."""
