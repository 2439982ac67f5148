"""Pieces: mobility, attacks near the enemy king, outposts, open files, space."""

from typing import Any, NamedTuple

import numpy as np

from plies.core import inlined, lowest_bit, popcount
from plies.evaluators.chess.sides import attacks_down, attacks_up, filled_down, filled_up, overlap
from plies.evaluators.chess.weights import OFFSETS
from plies.games.chess.attacks import (
    EIGHT,
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    bishop_attacks,
    rook_attacks,
)
from plies.games.chess.state import BISHOP, EVERYWHERE, KNIGHT, NONE, ONE, QUEEN, ROOK, U

LIGHT = U(0x55AA55AA55AA55AA)
OUTPOSTS = U(0x0000FFFFFF000000)  # ranks 4 to 6
SPACE_SQUARES = U(0x000000003C3C3C00)  # ranks 2 to 4 of the files c to f
USUAL_PAWNS = 5  # knights gain with every pawn beyond these, rooks lose (Kaufman 1999)

# By kind of piece; 0 for pawns, which count elsewhere.
MOBILITY = (
    *(0, 0, OFFSETS.knight_mobility, OFFSETS.bishop_mobility),
    *(OFFSETS.rook_mobility, OFFSETS.queen_mobility),
)
UNITS = (0, 0, 2, 2, 2, 3)  # attack units for each attacked square of the king zone


class Tally(NamedTuple):
    """Running totals over the pieces of one side."""

    total: int  # mobility, as weights
    units: int  # attack units: attacked squares of the king zone, weighted by kind of piece
    attacked: np.uint64
    twice: np.uint64  # attacked by two or more


class Attacks(NamedTuple):
    """The squares that a side attacks, by kind of piece, and the totals of `Tally`."""

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
def attacks_from(kind, square, occupied) -> Any:
    """The squares that a knight, bishop, rook or queen attacks."""
    if kind == KNIGHT:
        return KNIGHT_ATTACKS[square]
    if kind == BISHOP:
        return bishop_attacks(square, occupied)
    if kind == ROOK:
        return rook_attacks(square, occupied)
    return rook_attacks(square, occupied) | bishop_attacks(square, occupied)


@inlined
def add_pieces(table, tally, kind, pieces, free, zone, occupied):
    """The tally with the pieces of a kind, and the squares they attack."""
    by = NONE
    while pieces:
        attacked = attacks_from(kind, lowest_bit(pieces), occupied)
        pieces &= pieces - ONE
        tally = Tally(
            tally.total + table[MOBILITY[kind] + popcount(attacked & free)],
            tally.units + UNITS[kind] * popcount(attacked & zone),
            tally.attacked | attacked,
            tally.twice | tally.attacked & attacked,
        )
        by |= attacked
    return tally, by


@inlined
def attacks_of(table, us):
    """All attacks of a side, in one pass over its pieces.

    The mobility area has no own piece and no square that an enemy pawn attacks.  Bishops see
    through own queens, rooks through own queens and rooks (x-rays): pieces on one line
    support each other.
    """
    occupied = us.own | us.enemy
    zone = KING_ATTACKS[us.enemy_king]
    zone |= zone >> EIGHT  # one rank further towards us
    free = (attacks_down(us.enemy_pawns) | us.own) ^ EVERYWHERE
    by_pawns, royal = attacks_up(us.pawns), KING_ATTACKS[us.king]
    # Pawns and king attack, but neither counts for mobility or attack units.
    tally = Tally(0, 0, by_pawns | royal, by_pawns & royal)
    tally, by_knights = add_pieces(table, tally, KNIGHT, us.knights, free, zone, occupied)
    xray = occupied ^ us.queens
    tally, by_bishops = add_pieces(table, tally, BISHOP, us.bishops, free, zone, xray)
    xray ^= us.rooks
    tally, by_rooks = add_pieces(table, tally, ROOK, us.rooks, free, zone, xray)
    tally, by_queens = add_pieces(table, tally, QUEEN, us.queens, free, zone, occupied)
    return Attacks(
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
def positional_terms(table, us):
    """Bishop pair, bad bishops, outposts, open files, space: terms that need no attacks."""
    pawns, bishops, rooks = us.pawns, us.bishops, us.rooks
    own_attacks, enemy_attacks = attacks_up(pawns), attacks_down(us.enemy_pawns)
    # The bishop pair commands both colours; own pawns on a bishop's colour are in its way.
    light = overlap(bishops, LIGHT)
    dark = overlap(bishops, LIGHT ^ EVERYWHERE)
    bad_bishop_pawns = (
        popcount(pawns & LIGHT) * light + popcount(pawns & (LIGHT ^ EVERYWHERE)) * dark
    )
    # Outposts: defended by a pawn, and no enemy pawn can ever attack them.
    outposts = OUTPOSTS & own_attacks & (filled_down(enemy_attacks) ^ EVERYWHERE)
    # Half open: no own pawn on the file; open: no pawn at all.
    half_open = (filled_up(pawns) | filled_down(pawns)) ^ EVERYWHERE
    their_files = filled_up(us.enemy_pawns) | filled_down(us.enemy_pawns)
    is_open = half_open & (their_files ^ EVERYWHERE)
    # A minor piece behind a pawn is shielded from attacks along the file.
    behind = (pawns | us.enemy_pawns) >> EIGHT
    # Space matters the more pieces there are to use it.
    room = SPACE_SQUARES & ((pawns | enemy_attacks) ^ EVERYWHERE)
    count = popcount(us.own ^ pawns)
    extra_pawns = popcount(pawns) - USUAL_PAWNS
    return (
        table[OFFSETS.bishop_pair] * (light & dark)
        + table[OFFSETS.bishop_pawns] * bad_bishop_pawns
        + table[OFFSETS.knight_pawns] * (popcount(us.knights) * extra_pawns)
        + table[OFFSETS.rook_pawns] * (popcount(rooks) * extra_pawns)
        + table[OFFSETS.knight_outpost] * popcount(us.knights & outposts)
        + table[OFFSETS.bishop_outpost] * popcount(bishops & outposts)
        + table[OFFSETS.minor_behind_pawn] * popcount((us.knights | bishops) & behind)
        + table[OFFSETS.rook_open] * popcount(rooks & is_open)
        + table[OFFSETS.rook_half_open] * popcount(rooks & (half_open ^ is_open))
        + table[OFFSETS.space] * (popcount(room) * max(count - 3, 0))
    )
