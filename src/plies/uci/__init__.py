"""The chess engine as a program that speaks UCI, the protocol of chess user interfaces.

A line becomes an order (`orders`); `conversation` decides what orders lead to, without
streams and threads; `program` reads, thinks and writes; `options` and `replies` are what the
engine offers and says.
"""
