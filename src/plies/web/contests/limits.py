"""What a tournament that is begun from the page may ask for."""

from plies.web import limits

MOST_AGENTS = 16
MOST_GAMES_OF_PLAY = 5  # different games in one tournament
MOST_PAIRS = 1000  # of a meeting and game
MOST_GAMES = 5000  # to be played in all
MOST_OPENING_PLIES = 40
LONGEST_NAME = 60
MOST_NODES = 20_000_000  # for a move of an agent that has no limit of time
MOST_SIMULATIONS = 1_000_000

RUNNING = 2  # tournaments side by side
WORKERS = max(1, limits.CORES // RUNNING)  # processes that play one of them
STORED_RUNS = 500  # files that are listed; a new one is not begun beyond it
SHOWN_GAMES = 20_000  # of a run that the page shows
CHARTED_MOVES = 100_000  # of a run whose charts are drawn here
REPORTED_MOVES = 60_000  # of a run whose whole report is made here
LISTED_GAMES = 1000  # in one answer
THREADS = 8  # that answer requests about tournaments
WAITING = 200  # requests that wait for one of them
LISTENERS = 100  # of all tournaments together
NEWS_SECONDS = 0.25  # from one news of a tournament to the next, at least
ESTIMATE_SECONDS = 15.0  # for timing the agents' moves
START_SECONDS = 30.0  # until a run has been opened
STOP_SECONDS = 1.5  # that ending the server waits for the workers
