"""Playing in the browser: sessions, who sits in them, their agents, and the file of them all.

A click goes this way, and each object owns one thing:

    routes.move             the request: which room, which visitor
    SessionService.play     who may do it, on which ply
    Session.play            how long the clock ran
    Match.play              the rules, the history, whether the game has ended
    StoreWriter.write       what is on disk
    Room.adopt, tell_all    what everybody sees
    Turns.go_on             whether an agent is to move
    WorkerThreads.run       Match.consult: the agent decides
    SessionService          its move goes the same way
"""
