// Positions, verdicts and the catalog as the page reads them. web/types.js describes the same
// shapes.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/any.hpp"
#include "core/json.hpp"

namespace polymax::server {

// Bytes that are no UTF-8 become the replacement character.
std::string text_of(const Json& json);

// Throws Error for a key of a request's body that is none of these.
void check_keys(const Json& body, const std::vector<std::string_view>& known);

// Members of a request's body. Each throws Error with the key when it is of another kind; all but
// the lists and counts also when it is missing.
std::string text_at(const Json& body, const char* key);
std::vector<std::string> texts_at(const Json& body, const char* key,
                                  std::size_t most = std::numeric_limits<std::size_t>::max());
bool bool_at(const Json& body, const char* key);
double number_at(const Json& body, const char* key);
std::optional<std::size_t> count_at(const Json& body, const char* key);

Json drawing_json(const Drawing& drawing);
// The position, its legal moves and, when it is over, the result.
Json position_json(const AnyGame& game, const AnyMatch& match);
// The most visited moves first; `match` is the position thought about.
Json verdict_json(const AnyGame& game, const AnyMatch& match, const AnyVerdict& verdict);
Json settings_json(const std::vector<SettingInfo>& settings);
// In what a player's values are: "score", "depth" or kGain; MCTS with random games always says
// gains.
inline constexpr std::string_view kGain = "gain";
std::string unit_of(const std::string& player, const AnyGame& game);
Json seats_json(const Scores& scores, int players);
// Whether moves lay whole shapes: some have more than two cells.
bool lays_shapes(const AnyGame& game);

}  // namespace polymax::server
