// Completion (completion.hpp) in the tree of Monte-Carlo search, for any number of seats; for two
// it is MCTS-Solver (Winands, Bjornsson, Saito 2008).
//   edge   proven when it ends the game or leads to a proven position
//   node   proven when a proven move wins for its mover, or when all its moves are proven: then it
//          has the rewards of the mover's best one, by gain first
// Chosen: selection goes on among the moves that are not proven, so that every simulation learns
// something and a finite tree is solved in the end. The mover may always fall back on its best
// proven move: where that is worth no less to it than the mean of the move that a simulation took,
// the rewards of the proven move are backed up instead.
#pragma once

#include <cstdint>
#include <tuple>

#include "core/scores.hpp"
#include "tree/completion.hpp"
#include "tree/visit_tree.hpp"

namespace polymax {

// What is known for good of a position.
struct VisitProof {
  std::uint32_t bits = 0;  // c of every seat (completion.hpp) and kResolved; 0: nothing is known
  Scores reward{};
  std::uint32_t edge = 0;  // of a node: its mover's best

  explicit operator bool() const { return bits != 0; }
  int gain(int seat) const { return completion::of_seat(static_cast<std::uint16_t>(bits), seat); }

  static VisitProof of_end(const Scores& gain, const Scores& reward) {
    return {completion::of_gain(gain) | std::uint32_t{bits::kResolved}, reward};
  }
};

// Of the edge, by itself.
inline VisitProof proof_of(const VisitEdge& edge, int seats) {
  const std::uint32_t bits = edge.proof(seats);
  return bits == 0 ? VisitProof{} : VisitProof{bits, edge.exact(seats)};
}

// The mover's best proven move, by gain first; nothing when there is none.
template <class Tree>
VisitProof best_proven(const Tree& tree, typename Tree::Id id, int seats) {
  const auto& node = tree.node(id);
  VisitProof best;
  for (std::uint32_t i = 0; i < node.tried; ++i) {
    VisitProof proof = proof_of(tree.edge(id, i), seats);
    if (!proof) continue;
    proof.edge = i;
    const auto key = [&](const VisitProof& of) {
      return std::tuple(of.gain(node.seat), of.reward[node.seat]);
    };
    if (!best || key(proof) > key(best)) best = proof;
  }
  return best;
}

template <class Tree>
VisitProof proof_of(const Tree& tree, typename Tree::Id id, int seats) {
  const auto& node = tree.node(id);
  const VisitProof best = best_proven(tree, id, seats);
  if (!best || best.gain(node.seat) == 1) return best;
  bool all = node.tried == node.count;
  for (std::uint32_t i = 0; all && i < node.tried; ++i) all = tree.edge(id, i).proof(seats) != 0;
  return all ? best : VisitProof{};
}

// Adds the reward of a simulation to the edges of its path, a range of {node, edge}, from its end
// to its beginning; `known` is what its end proves. Returns what is then known of the first node.
template <class Tree, class Path>
VisitProof back_up_proofs(const Tree& tree, const Path& path, Scores reward, VisitProof known,
                          int seats) {
  for (auto step = path.rbegin(); step != path.rend(); ++step) {
    auto edge = tree.edge(step->node, step->edge);
    auto& node = tree.node(step->node);
    if (known && edge.proof(seats) == 0) {
      edge.prove(known.bits, known.reward, seats);
      ++node.proven;
    }
    if (edge.proof(seats) == 0)
      edge.add(reward, seats);
    else
      edge.settle(seats);
    known = {};
    if (node.proven == 0) continue;
    if (edge.proof(seats) != 0) known = proof_of(tree, step->node, seats);
    const VisitProof best = best_proven(tree, step->node, seats);
    if (static_cast<double>(best.reward[node.seat]) >= edge.mean(node.seat)) reward = best.reward;
  }
  return known;
}

// The move to play: the best one of a proven node; else that with most visits, then the best mean,
// unless the mover's best proven move is worth as much.
template <class Tree>
std::uint32_t decision(const Tree& tree, typename Tree::Id id, int seats, bool completion) {
  const auto& node = tree.node(id);
  const auto closed = [&](std::uint32_t i) {
    return completion && tree.edge(id, i).proof(seats) != 0;
  };
  const VisitProof proven = completion ? best_proven(tree, id, seats) : VisitProof{};
  std::uint32_t best = node.tried;
  for (std::uint32_t i = 0; i < node.tried; ++i) {
    const auto key = [&](std::uint32_t of) {
      return std::tuple(tree.edge(id, of).visits(), tree.edge(id, of).mean(node.seat));
    };
    if (!closed(i) && (best == node.tried || key(i) > key(best))) best = i;
  }
  const bool by_proof = proven && (best == node.tried || proven.gain(node.seat) == 1 ||
                                   static_cast<double>(proven.reward[node.seat]) >=
                                       tree.edge(id, best).mean(node.seat));
  return by_proof ? proven.edge : best;
}

}  // namespace polymax
