#include "catalog/signature.hpp"

#include <bit>

#include "catalog/catalog.hpp"
#include "core/rng.hpp"

namespace polymax::catalog {

namespace {

constexpr std::uint64_t kSeed = 1, kEvaluations = 200, kNodes = 20000;
constexpr int kRandomGames = 20, kOpeningMoves = 6, kThoughts = 2;

void mix(std::uint64_t& fingerprint, std::uint64_t word) {
  fingerprint = mix64(fingerprint ^ word);
}

void mix(std::uint64_t& fingerprint, const std::string& text) {
  for (const char c : text) mix(fingerprint, static_cast<unsigned char>(c));
}

SignatureLine random_line(const AnyGame& game) {
  const RandomPlay played = game.random_play(kSeed, {.games = kRandomGames});
  return {game.name(), "", played.moves, played.choices, played.fingerprint};
}

// A few random moves, then some thoughts, each followed by the move it chose.
SignatureLine search_line(const AnyGame& game, const std::string& search) {
  SignatureLine out{game.name(), search, 0, 0, 0};
  const auto match = game.start(kSeed);
  Rng rng(kSeed);
  for (int i = 0; i < kOpeningMoves && !match->over(); ++i) {
    const auto legal = match->legal();
    match->play(legal[rng.below(static_cast<std::uint32_t>(legal.size()))]);
  }
  const auto player = game.player(Spec::parse(search), kSeed);
  Budget budget;
  budget.evaluations = kEvaluations;
  budget.nodes = kNodes;
  for (int i = 0; i < kThoughts && !match->over(); ++i) {
    const AnyVerdict verdict = player->think(*match, budget);
    out.nodes += verdict.cost.nodes;
    out.evaluations += verdict.cost.evaluations;
    mix(out.fingerprint, verdict.best);
    for (const float x : verdict.value.seats) mix(out.fingerprint, std::bit_cast<std::uint32_t>(x));
    match->play(verdict.best);
  }
  return out;
}

}  // namespace

std::vector<SignatureLine> signature_lines() {
  std::vector<SignatureLine> out;
  for (const auto& entry : games()) {
    const auto game = open_game(entry.entry.name);
    out.push_back(random_line(*game));
    for (const auto& search : entry.searches) out.push_back(search_line(*game, search.name));
  }
  return out;
}

std::uint64_t signature_of(const std::vector<SignatureLine>& lines) {
  std::uint64_t out = 0;
  for (const auto& line : lines) {
    mix(out, line.game + ' ' + line.search);
    for (const auto word : {line.nodes, line.evaluations, line.fingerprint}) mix(out, word);
  }
  return out;
}

}  // namespace polymax::catalog
