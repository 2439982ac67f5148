"""What a stranger may ask for, and for how long.

Those of tournaments are in `contests.limits`, those of the laboratory in `lab.search`.
"""

from plies.processes import cores

CORES = cores()

# Connections
CONNECTIONS = 1000  # in all; browsers take a few each
SOCKETS = 800  # of them: pages that listen to a game or a tournament
ADDRESS_CONNECTIONS = 300  # from one address
ADDRESS_SOCKETS = 200
ADDRESS_BITS = 64  # of an IPv6 address: whoever has one has a network of them
HEAD_SECONDS = 10.0  # until the head of a request is there
READ_SECONDS = 30.0  # in which at least LEAST_READ bytes of a waiting answer are read
LEAST_READ = 32 * 1024
SPARE_FILES = 200  # open files besides connections

# What comes in
BODY_BYTES = 64 * 1024  # of a request
HEAD_BYTES = 96 * 1024  # with what arrives of the body at the same moment
HEADERS = 100  # of a request
PIPELINED = 20  # requests of one connection that wait for an answer
IGNORED_BYTES = 1024 * 1024  # of a body that was refused; then the connection is closed
BODY_SECONDS = 10.0  # until all of a body is there
MESSAGE_BYTES = 4096  # of what a listener says
MOST_POINTS = 2000  # of a board
MOST_MOVES = 5000  # in one position
LONGEST_LOADED_GAME = 1000  # plies of a game that is pasted

# Sessions
LIVE_SESSIONS = 1000  # in memory
STORED_SESSIONS = 10_000  # in the file; finished ones give way, then new ones are refused
IDLE_SECONDS = 15 * 60.0  # then a session leaves the memory and stays in the file
OVER_SECONDS = 30.0  # the same for one that is over
FORGOTTEN_SECONDS = 90 * 24 * 3600.0  # of the server running, then it leaves the file as well
SWEEP_SECONDS = 10.0  # from one look for idle sessions to the next
LISTENERS = 50  # of a session
UNREAD = 64  # messages; a listener who leaves more of them unread is let go

# Searches
HELPERS = 6  # threads that compile and get things ready
WORKERS = max(4, 2 * CORES)  # searches side by side; the system shares the cores among them
WAITING_SEARCHES = 2000  # in the queue
SEARCH_SECONDS = 30.0  # of an agent's turn
ANSWER_SECONDS = 40.0  # until the agent of a user, which was told to stop by then, is given up
PREPARE_SECONDS = 120.0  # the same while it gets ready, and may compile
GIVEN_UP = 8  # agents that go on all the same, each in a thread that nothing can end
WAIT_SECONDS = 60.0  # that a request waits for agents
GONE_SECONDS = 0.5  # until it is noticed that whoever waits has hung up
HINT_SECONDS = 1.0
ANALYSIS_SECONDS = 8.0
ANALYSES = max(2, CORES)  # side by side
PLY_NODES = 20_000  # to value one position of a game
VALUES_KEPT = 20_000  # positions whose value is remembered
TELL_SECONDS = 0.2  # from one news of a search to the next
SEARCHES = WORKERS + 2 * ANALYSES + HELPERS  # tables that are searched with at once, at most
TABLES = max(128, 8 * SEARCHES)  # megabytes for all of them, unless `plies serve` names another
# What an agent remembers is forgotten when it has not been asked, or nobody has been there, for:
UNUSED_SECONDS = 10 * 60.0
LEFT_SECONDS = 30.0

# Options of agents, by name: the most that may be asked for
MOST = {
    "threads": CORES,
    "table": 128,  # megabytes, as far as TABLES allows it
    "seconds": SEARCH_SECONDS,
    "positions": 2_000_000,
    "width": 1000,
    "plies": 10_000,
}

# Stored games
VISITOR_SESSIONS = 1000  # of one address; those of this machine may have all
LOCKED_SECONDS = 2.0  # that a change waits for a file that another program has locked
RETRY_SECONDS = 2.0  # until a loss on time is stored again that could not be stored
LOG_BYTES = 64 * 1024 * 1024  # of the write-ahead log, until it is emptied, while all wait
QUIET_LOG_BYTES = 1024 * 1024  # the same where nobody has played for a moment
TOUCH_SECONDS = 3600.0  # to which it is known when a stored session was last in use
