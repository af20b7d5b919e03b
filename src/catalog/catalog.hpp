// THE registry: names -> games, searches, evaluators. CMake lists the files of games/, search/ and
// eval/; no list is edited by hand.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/any.hpp"

namespace polymax::catalog {

// All games, by name.
const std::vector<GameEntry>& games();

// All searches and evaluators that some game offers, by name.
const std::vector<Entry>& searches();
const std::vector<Entry>& evaluators();

// Players that are no search of ours and know every game: somebody above the catalog makes them
// (protocol/engine_player.hpp). From then on AnyGame::player makes them too. Call it before the
// first player is made.
using MakePlayer =
    std::function<std::unique_ptr<AnyPlayer>(const AnyGame&, const Spec&, std::uint64_t seed)>;
void offer_player(Entry entry, MakePlayer make);
std::vector<Entry> outside_players();
// Whether the spec, or one inside it, names such a player: making it may start what the spec says.
bool names_program(const Spec& spec);
// Null when nobody offers a player of this name.
std::unique_ptr<AnyPlayer> outside_player(const AnyGame& game, const Spec& spec,
                                          std::uint64_t seed);

// Throws Error that names the mistake, its place and what is allowed.
std::unique_ptr<const AnyGame> open_game(const Spec& spec);
inline std::unique_ptr<const AnyGame> open_game(std::string_view text) {
  return open_game(Spec::parse(text));
}

// Throws Error "no search 'x' ..." or "the game ... does not offer it".
[[noreturn]] void fail_not_offered(const Spec& spec, const std::string& kind,
                                   const std::string& game, const std::vector<Entry>& offered,
                                   const std::vector<Entry>& known);

// evals=2000, nodes=1000, seconds=2, depth=3 joined by commas, or solved alone. Throws Error.
Budget parse_budget(std::string_view text);
// The other way; without the stop.
std::string budget_text(const Budget& budget);

}  // namespace polymax::catalog
