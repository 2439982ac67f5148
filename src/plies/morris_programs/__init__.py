"""The eight morris programs, each a console command under its own name.

    MiniMaxOpening board1.txt board2.txt 2

reads a board from the first file, writes the board after the best move into the second
and prints that board, how many positions were estimated, and the estimate.

    Opening       adds a piece            Game        moves a piece, or hops
    MiniMax       looks at every line     AB          alpha-beta: the same answer for less
    Black         plays Black             Improved    estimates better

`python -m plies.morris_programs NAME ...` does the same as the command NAME.
"""

from functools import partial

from plies.morris_programs.command import run

minimax_opening = partial(run, "MiniMaxOpening")
minimax_game = partial(run, "MiniMaxGame")
ab_opening = partial(run, "ABOpening")
ab_game = partial(run, "ABGame")
minimax_opening_black = partial(run, "MiniMaxOpeningBlack")
minimax_game_black = partial(run, "MiniMaxGameBlack")
minimax_opening_improved = partial(run, "MiniMaxOpeningImproved")
minimax_game_improved = partial(run, "MiniMaxGameImproved")
