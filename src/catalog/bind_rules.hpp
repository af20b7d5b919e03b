// Puts one game type and its evaluators behind AnyRules. The generated headers name all files of
// eval/; an evaluator whose constraint fails is simply not offered.
#pragma once

#include <algorithm>
#include <cassert>
#include <concepts>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "catalog/all_evaluators.hpp"
#include "catalog/any_rules.hpp"
#include "core/error.hpp"

namespace polymax::catalog {

template <class Tag, class G>
concept OffersEvaluator = requires {
  typename Tag::template type<G>;
  requires OfferedEvaluator<typename Tag::template type<G>, G>;
};

template <Game G>
[[gnu::cold]] std::vector<Entry> offered_evaluators() {
  std::vector<Entry> out;
  each_evaluator([&]<class Tag>(Tag) {
    if constexpr (OffersEvaluator<Tag, G>) {
      using E = typename Tag::template type<G>;
      out.push_back({Tag::name, E::about, describe_settings<typename E::Params>()});
    }
  });
  return out;
}

// Owns an evaluator of any kind.
template <Game G>
class BoundEvaluator final : public AnyEvaluator {
 public:
  template <class E>
  explicit BoundEvaluator(std::shared_ptr<E> own) : ref_(*own), owner_(std::move(own)) {}

  void evaluate(StateRow states, std::span<Scores> out) override {
    ref_.evaluate(unboxed(states), out);
  }
  bool knows_moves() const override { return ref_.knows_moves(); }
  void evaluate(StateRow states, std::span<Scores> out, MovePriors& priors) override {
    ref_.evaluate(unboxed(states), out, priors);
  }
  bool samples() const override { return ref_.samples(); }
  Scores sample(const std::byte* state, Rng& rng) override {
    return ref_.sample(*reinterpret_cast<const State*>(state), rng);
  }
  std::optional<Bounds> bounds() const override { return ref_.bounds(); }

 private:
  using State = typename G::State;

  // Valid until this thread's next call.
  static std::span<const State> unboxed(StateRow states) {
    if (states.count == 1 || states.stride == sizeof(State))
      return {reinterpret_cast<const State*>(states.first), states.count};
    thread_local std::vector<State> out;
    if (out.size() < states.count) out.resize(states.count);
    for (std::size_t i = 0; i < states.count; ++i)
      out[i] = *reinterpret_cast<const State*>(states.first + i * states.stride);
    return {out.data(), states.count};
  }

  EvaluatorRef<G> ref_;
  std::shared_ptr<void> owner_;
};

// A position `ply` moves below the root: adds the sequences of k moves from the root that go
// through it to counts[k-1], for every k beyond ply.
template <Game G>
void count_sequences(const G& game, const typename G::State& state, std::size_t ply,
                     std::vector<MoveList<G>>& lists, std::vector<std::uint64_t>& counts) {
  auto& moves = lists[ply];
  moves.clear();
  game.moves(state, moves);
  counts[ply] += moves.size();
  if (ply + 1 == counts.size()) return;
  for (const auto& move : moves) {
    typename G::State next = state;
    game.play(next, move);
    count_sequences(game, next, ply + 1, lists, counts);
  }
}

template <Game G>
class BoundRules final : public AnyRules {
 public:
  using State = typename G::State;
  using Move = typename G::Move;

  static_assert(std::has_unique_object_representations_v<Move>,
                "moves are told apart by their bytes: a Move has no padding and no float");
  static_assert(alignof(State) <= 16);

  explicit BoundRules(const typename G::Options& options)
      : AnyRules(sizeof(State), sizeof(Move), abilities_of<G>()),
        options_(options),
        game_(options) {}

  bool same_rules(const AnyRules& other) const override {
    if (this == &other) return true;
    const auto* own = dynamic_cast<const BoundRules*>(&other);
    if (own == nullptr) return false;
    if constexpr (std::equality_comparable<typename G::Options>)
      return options_ == own->options_;
    else
      return write_settings("", options_) == write_settings("", own->options_);
  }

  const About& about() const override { return about_; }
  int players() const override { return game_.players(); }
  int max_length() const override { return game_.max_length(); }
  void start(std::uint64_t seed, std::byte* out) const override { put(game_.start(seed), out); }
  int to_move(const std::byte* state) const override { return game_.to_move(in(state)); }

  void moves(const std::byte* state, List<MoveCode>& out) const override {
    thread_local MoveList<G> own;
    own.clear();
    game_.moves(in(state), own);
    MoveCode* to = out.room(own.size());
    for (const Move& move : own) *to++ = code_of(move);
    out.wrote(to);
  }

  void play(std::byte* state, MoveCode move) const override {
    game_.play(in(state), move_of(move));
  }
  bool over(const std::byte* state) const override { return game_.over(in(state)); }
  Scores score(const std::byte* state) const override { return game_.score(in(state)); }
  Scores gain(const std::byte* state) const override { return game_.gain(in(state)); }
  int played(const std::byte* state) const override { return game_.played(in(state)); }
  std::uint64_t hash(const std::byte* state) const override { return game_.hash(in(state)); }
  [[gnu::cold]] std::string move_text(const std::byte* state, MoveCode move) const override {
    return game_.move_text(in(state), move_of(move));
  }
  [[gnu::cold]] Drawing draw(const std::byte* state) const override {
    return game_.draw(in(state));
  }
  bool same(const std::byte* a, const std::byte* b) const override { return in(a) == in(b); }

  bool give_turn(const std::byte* state, int seat, std::byte* out) const override {
    if constexpr (TurnSkipping<G>)
      if (const auto given = game_.give_turn(in(state), seat)) {
        put(*given, out);
        return true;
      }
    return false;
  }
  Scores estimate(const std::byte* state) const override {
    if constexpr (Estimating<G>) return game_.estimate(in(state));
    return {};
  }
  PlaneShape planes() const override {
    if constexpr (Learnable<G>) return game_.planes();
    return {};
  }
  void write_planes(const std::byte* state, std::span<std::uint64_t> bits) const override {
    if constexpr (Learnable<G>) game_.write_planes(in(state), bits);
  }
  int move_planes() const override { return move_planes_of(game_); }
  MovePlace move_place(const std::byte* state, MoveCode move) const override {
    if constexpr (MoveMapped<G>) return game_.move_place(in(state), move_of(move));
    return {};
  }
  [[gnu::cold]] std::vector<Symmetry> symmetries() const override {
    if constexpr (Symmetric<G>) return game_.symmetries();
    return {};
  }

  void play_each(const std::byte* parent, std::span<const MoveCode> moves, std::byte* children,
                 std::size_t stride, std::uint8_t* over) const override {
    for (std::size_t i = 0; i < moves.size(); ++i) {
      State& child = in(children + i * stride);
      child = in(parent);
      game_.play(child, move_of(moves[i]));
      over[i] = game_.over(child);
    }
  }
  void hash_each(StateRow states, std::uint64_t* out) const override {
    for (std::size_t i = 0; i < states.count; ++i)
      out[i] = game_.hash(in(states.first + i * states.stride));
  }

  Perft perft(const std::byte* from, int depth) const override {
    const State& state = in(from);
    assert(depth >= 1);
    const auto plies = static_cast<std::size_t>(depth);
    Perft out;
    out.sequences.resize(plies);
    std::vector<MoveList<G>> lists(plies);
    game_.moves(state, lists[0]);
    out.sequences[0] = lists[0].size();
    for (const auto& move : lists[0]) {
      const std::uint64_t before = out.sequences.back();
      if (plies > 1) {
        State next = state;
        game_.play(next, move);
        count_sequences(game_, next, 1, lists, out.sequences);
      }
      out.divided.emplace_back(game_.move_text(state, move),
                               plies > 1 ? out.sequences.back() - before : 1);
    }
    return out;
  }

  RandomPlay random_play(std::uint64_t seed, const RandomPlayLimit& limit) const override {
    return play_randomly(game_, seed, limit);
  }

  [[gnu::cold]] std::optional<NetPurpose> networks(const std::string& spec,
                                                   Points points) const override {
    if constexpr (Learnable<G>) return network::purpose_of(game_, spec, points);
    return std::nullopt;
  }

  [[gnu::cold]] std::unique_ptr<AnyEvaluator> evaluator(const Spec& asked,
                                                        const EvaluatorFor& setup,
                                                        Spec& canonical) const override {
    std::unique_ptr<AnyEvaluator> out;
    each_evaluator([&]<class Tag>(Tag) {
      if constexpr (OffersEvaluator<Tag, G>) {
        using E = typename Tag::template type<G>;
        if (asked.name != Tag::name) return;
        const auto params = read_settings<typename E::Params>(asked);
        const EvaluatorSetup<G> own{&game_, setup.points, setup.seed, setup.spec};
        out = std::make_unique<BoundEvaluator<G>>(std::make_shared<E>(own, params));
        canonical = write_settings(Tag::name, params);
      }
    });
    if (!out) throw Error("no evaluator '" + asked.name + "'");  // callers have checked the name
    return out;
  }

  [[gnu::cold]] std::unique_ptr<AnyEvaluator> random_games(Points points, std::uint64_t seed,
                                                           int games) const override {
    return std::make_unique<BoundEvaluator<G>>(std::make_shared<playouts::Eval<G>>(
        EvaluatorSetup<G>{&game_, points, seed}, playouts::Params{games}));
  }

  [[gnu::cold]] std::unique_ptr<AnyEvaluator> network(
      std::shared_ptr<const LoadedNet> net,
      std::shared_ptr<const MoverTurns> turns) const override {
    if constexpr (Learnable<G>)
      return std::make_unique<BoundEvaluator<G>>(
          std::make_shared<network::Eval<G>>(game_, std::move(net), std::move(turns)));
    return nullptr;
  }

 private:
  static const State& in(const std::byte* state) { return *reinterpret_cast<const State*>(state); }
  static State& in(std::byte* state) { return *reinterpret_cast<State*>(state); }
  static void put(const State& state, std::byte* out) { std::memcpy(out, &state, sizeof state); }
  static MoveCode code_of(const Move& move) {
    MoveCode out;
    std::memcpy(&out.bits, &move, sizeof move);
    return out;
  }
  static Move move_of(MoveCode code) {
    Move out;
    std::memcpy(static_cast<void*>(&out), &code.bits, sizeof out);
    return out;
  }

  typename G::Options options_;
  G game_;
  About about_ = G::about;
};

}  // namespace polymax::catalog
