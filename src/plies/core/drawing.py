"""Boards as text and as SVG."""
def text(board, pieces):
    tops = sorted({y for _, y in board.points.values()}, reverse=True)
    return "\n".join(" ".join(pieces.get(n, ".") for n, (_, y) in board.points.items() if y == top) for top in tops)
def svg(board, pieces, marks): return "<svg/>"
def svg_of_text(t): return "<svg/>"
