// Tasks in C++ on OpenSpiel's own library, which its Python package carries with its headers.
//
// In chess they work on the board below OpenSpiel's states, which is the quicker of the two.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "open_spiel/algorithms/minimax.h"
#include "open_spiel/games/chess/chess_board.h"
#include "open_spiel/spiel.h"

namespace {

using open_spiel::Action;
using open_spiel::Player;
using open_spiel::State;
using open_spiel::chess::ChessBoard;
using open_spiel::chess::Color;
using open_spiel::chess::Move;
using open_spiel::chess::PieceType;

constexpr long kWin = 1'000'000'000;
constexpr long kInfinity = kWin + 1;

// Depth is counted in turns: a removal in morris, a move of its own there, belongs to the
// move before it.  Taking moves back is quicker than copying states, where a game can do it.
long Lines(State& state, int depth, bool can_undo) {
  if (depth == 0) return 1;
  if (state.IsTerminal()) return 0;
  const Player player = state.CurrentPlayer();
  long count = 0;
  for (Action action : state.LegalActions()) {
    if (can_undo) {
      state.ApplyAction(action);
      count += Lines(state, depth - (state.CurrentPlayer() != player), can_undo);
      state.UndoAction(player, action);
    } else {
      const auto child = state.Child(action);
      count += Lines(*child, depth - (child->CurrentPlayer() != player), can_undo);
    }
  }
  return count;
}

std::vector<Move> LegalMoves(const ChessBoard& board) {
  std::vector<Move> moves;
  board.GenerateLegalMoves([&moves](const Move& move) {
    moves.push_back(move);
    return true;
  });
  return moves;
}

long ChessLines(const ChessBoard& board, int depth, bool is_bulk) {
  if (depth == 0) return 1;
  const std::vector<Move> moves = LegalMoves(board);
  if (is_bulk && depth == 1) return moves.size();
  long count = 0;
  for (const Move& move : moves) {
    ChessBoard child = board;
    child.ApplyMove(move);
    count += ChessLines(child, depth - 1, is_bulk);
  }
  return count;
}

long Material(const ChessBoard& board) {
  long found = 0;
  for (int8_t y = 0; y < 8; ++y) {
    for (int8_t x = 0; x < 8; ++x) {
      const auto& piece = board.at({x, y});
      long worth = 0;
      switch (piece.type) {
        case PieceType::kPawn: worth = 1; break;
        case PieceType::kKnight: case PieceType::kBishop: worth = 3; break;
        case PieceType::kRook: worth = 5; break;
        case PieceType::kQueen: worth = 9; break;
        default: break;
      }
      found += piece.color == board.ToPlay() ? worth : -worth;
    }
  }
  return found;
}

void SortByText(std::vector<Move>& moves) {
  std::vector<std::pair<std::string, Move>> named;
  for (const Move& move : moves) named.emplace_back(move.ToLAN(), move);
  std::sort(named.begin(), named.end(),
            [](const auto& one, const auto& other) { return one.first < other.first; });
  for (std::size_t index = 0; index < moves.size(); ++index) moves[index] = named[index].second;
}

// Fail-soft, a cut on equality, faster wins preferred; no stalemate at the horizon.
struct AlphaBeta {
  bool is_sorted;
  long nodes = 0;

  long Search(const ChessBoard& board, int depth, long alpha, long beta, int ply) {
    ++nodes;
    if (depth == 0) {
      return board.InCheck() && !board.HasLegalMoves() ? ply - kWin : Material(board);
    }
    std::vector<Move> moves = LegalMoves(board);
    if (moves.empty()) return board.InCheck() ? ply - kWin : 0;
    if (is_sorted) SortByText(moves);
    long best = -kInfinity;
    for (const Move& move : moves) {
      ChessBoard child = board;
      child.ApplyMove(move);
      const long value = -Search(child, depth - 1, -beta, -alpha, ply + 1);
      best = std::max(best, value);
      alpha = std::max(alpha, best);
      if (alpha >= beta) break;
    }
    return best;
  }
};

ChessBoard BoardOf(const char* fen) {
  return *fen ? *ChessBoard::BoardFromFEN(fen) : open_spiel::chess::MakeDefaultBoard();
}

}  // namespace

extern "C" {

long lines(const char* game, int depth, bool can_undo) {
  return Lines(*open_spiel::LoadGame(game)->NewInitialState(), depth, can_undo);
}

long chess_lines(const char* fen, int depth, bool is_bulk) {
  return ChessLines(BoardOf(fen), depth, is_bulk);
}

// The value for the first player by OpenSpiel's own alpha-beta.
double solved(const char* game, int depth) {
  const auto rules = open_spiel::LoadGame(game);
  return open_spiel::algorithms::AlphaBetaSearch(*rules, nullptr, nullptr, depth, 0, true).first;
}

long chess_alphabeta(const char* fen, int depth, bool is_sorted, long* value) {
  AlphaBeta searching{is_sorted};
  *value = searching.Search(BoardOf(fen), depth, -kInfinity, kInfinity, 0);
  return searching.nodes;
}
}
