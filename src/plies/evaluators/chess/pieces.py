"""Pieces: how many squares they reach, where they stand well, what they attack."""

from typing import NamedTuple

import numpy as np

from plies.core import inlined, lowest_bit, popcount
from plies.evaluators.chess.camp import attacks_down, attacks_up, filled_down, filled_up, has
from plies.evaluators.chess.weights import OFFSETS
from plies.games.chess.attacks import (
    EIGHT,
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    bishop_attacks,
    rook_attacks,
)
from plies.games.chess.state import EVERYWHERE, NONE, ONE, U

KNIGHT_MOBILITY = OFFSETS["knight_mobility"]
BISHOP_MOBILITY = OFFSETS["bishop_mobility"]
ROOK_MOBILITY = OFFSETS["rook_mobility"]
QUEEN_MOBILITY = OFFSETS["queen_mobility"]
BISHOP_PAIR = OFFSETS["bishop_pair"]
BISHOP_PAWNS = OFFSETS["bishop_pawns"]
KNIGHT_PAWNS = OFFSETS["knight_pawns"]
ROOK_PAWNS = OFFSETS["rook_pawns"]
KNIGHT_OUTPOST = OFFSETS["knight_outpost"]
BISHOP_OUTPOST = OFFSETS["bishop_outpost"]
SHIELDED = OFFSETS["shielded"]
ROOK_OPEN = OFFSETS["rook_open"]
ROOK_HALF_OPEN = OFFSETS["rook_half_open"]
SPACE = OFFSETS["space"]

LIGHT = U(0x55AA55AA55AA55AA)
OUTPOSTS = U(0x0000FFFFFF000000)  # ranks four to six
SPACE_SQUARES = U(0x000000003C3C3C00)  # ranks two to four of the files c to f
USUAL_PAWNS = 5

# Attacks on a square next to the enemy king, by kind of piece.
KNIGHT_UNITS, BISHOP_UNITS, ROOK_UNITS, QUEEN_UNITS = 2, 2, 2, 3


class Tally(NamedTuple):
    """What has been counted of a side's pieces so far."""

    total: int  # the weights of their mobility
    units: int  # attacks on the squares near the enemy king, weighed by kind
    attacked: np.uint64
    twice: np.uint64  # attacked by two or more


class Reach(NamedTuple):
    """What a side attacks, with which pieces, and what its pieces' mobility is worth."""

    total: int
    units: int
    by_pawns: np.uint64
    by_knights: np.uint64
    by_bishops: np.uint64
    by_rooks: np.uint64
    by_queens: np.uint64
    attacked: np.uint64  # by anything, the king included
    twice: np.uint64


@inlined
def counted(tally, weight, unit, found, zone):
    """The tally with one more piece, which attacks the squares `found`."""
    return Tally(
        tally.total + weight,
        tally.units + unit * popcount(found & zone),
        tally.attacked | found,
        tally.twice | tally.attacked & found,
    )


@inlined
def count_knights(table, tally, pieces, free, zone):
    """The tally with the knights, and what they attack."""
    by = NONE
    while pieces:
        found = KNIGHT_ATTACKS[lowest_bit(pieces)]
        pieces &= pieces - ONE
        weight = table[KNIGHT_MOBILITY + popcount(found & free)]
        tally = counted(tally, weight, KNIGHT_UNITS, found, zone)
        by |= found
    return tally, by


@inlined
def count_bishops(table, tally, pieces, free, zone, occupied):
    by = NONE
    while pieces:
        found = bishop_attacks(lowest_bit(pieces), occupied)
        pieces &= pieces - ONE
        weight = table[BISHOP_MOBILITY + popcount(found & free)]
        tally = counted(tally, weight, BISHOP_UNITS, found, zone)
        by |= found
    return tally, by


@inlined
def count_rooks(table, tally, pieces, free, zone, occupied):
    by = NONE
    while pieces:
        found = rook_attacks(lowest_bit(pieces), occupied)
        pieces &= pieces - ONE
        weight = table[ROOK_MOBILITY + popcount(found & free)]
        tally = counted(tally, weight, ROOK_UNITS, found, zone)
        by |= found
    return tally, by


@inlined
def count_queens(table, tally, pieces, free, zone, occupied):
    by = NONE
    while pieces:
        square = lowest_bit(pieces)
        found = rook_attacks(square, occupied) | bishop_attacks(square, occupied)
        pieces &= pieces - ONE
        weight = table[QUEEN_MOBILITY + popcount(found & free)]
        tally = counted(tally, weight, QUEEN_UNITS, found, zone)
        by |= found
    return tally, by


@inlined
def reach(table, camp):
    """Look at all pieces of a side once.

    A piece may go where no own piece stands and no enemy pawn attacks.  Bishops see through
    own queens, rooks through own queens and rooks: those on one line support each other.
    """
    occupied = camp.own | camp.other
    zone = KING_ATTACKS[camp.other_king]
    zone |= zone >> EIGHT
    free = (attacks_down(camp.other_pawns) | camp.own) ^ EVERYWHERE
    by_pawns, royal = attacks_up(camp.pawns), KING_ATTACKS[camp.king]
    tally = Tally(0, 0, by_pawns | royal, by_pawns & royal)
    tally, by_knights = count_knights(table, tally, camp.knights, free, zone)
    seen = occupied ^ camp.queens
    tally, by_bishops = count_bishops(table, tally, camp.bishops, free, zone, seen)
    seen ^= camp.rooks
    tally, by_rooks = count_rooks(table, tally, camp.rooks, free, zone, seen)
    tally, by_queens = count_queens(table, tally, camp.queens, free, zone, occupied)
    return Reach(
        tally.total,
        tally.units,
        by_pawns,
        by_knights,
        by_bishops,
        by_rooks,
        by_queens,
        tally.attacked,
        tally.twice,
    )


@inlined
def standing(table, camp):
    """What depends on squares and pawns only: pairs, outposts, open files, space."""
    pawns, bishops, rooks = camp.pawns, camp.bishops, camp.rooks
    own_attacks, other_attacks = attacks_up(pawns), attacks_down(camp.other_pawns)
    light = has(bishops, LIGHT)
    dark = has(bishops, LIGHT ^ EVERYWHERE)
    hindering = popcount(pawns & LIGHT) * light + popcount(pawns & (LIGHT ^ EVERYWHERE)) * dark
    outposts = OUTPOSTS & own_attacks & (filled_down(other_attacks) ^ EVERYWHERE)
    half_open = (filled_up(pawns) | filled_down(pawns)) ^ EVERYWHERE
    their_files = filled_up(camp.other_pawns) | filled_down(camp.other_pawns)
    is_open = half_open & (their_files ^ EVERYWHERE)
    behind = (pawns | camp.other_pawns) >> EIGHT
    room = SPACE_SQUARES & ((pawns | other_attacks) ^ EVERYWHERE)
    count = popcount(camp.own ^ pawns)
    more = popcount(pawns) - USUAL_PAWNS
    return (
        table[BISHOP_PAIR] * (light & dark)
        + table[BISHOP_PAWNS] * hindering
        + table[KNIGHT_PAWNS] * (popcount(camp.knights) * more)
        + table[ROOK_PAWNS] * (popcount(rooks) * more)
        + table[KNIGHT_OUTPOST] * popcount(camp.knights & outposts)
        + table[BISHOP_OUTPOST] * popcount(bishops & outposts)
        + table[SHIELDED] * popcount((camp.knights | bishops) & behind)
        + table[ROOK_OPEN] * popcount(rooks & is_open)
        + table[ROOK_HALF_OPEN] * popcount(rooks & (half_open ^ is_open))
        + table[SPACE] * (popcount(room) * max(count - 3, 0))
    )
