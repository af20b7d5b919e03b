// What `polymax analyze` is asked, as lines of JSON.
//   {"id":"a","game":"hex(n=7)","moves":["d4"],"player":"mcts","budget":"evals=1000",
//    "seed":0,"report_every":0.5,"top":5}
//   {"cancel":"a"}
// All but the id have presets. An id is a text or a whole number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "catalog/any.hpp"
#include "core/json.hpp"

namespace polymax::protocol {

struct Query {
  std::string id;  // as JSON: "a" with its quotes, or 17
  std::string game, player, budget;
  std::vector<std::string> moves;
  std::uint64_t seed = 0;   // of the start position and of the player
  double report_every = 0;  // seconds between two reports; 0: the answer alone
  std::size_t top = 10;     // moves in an answer; 0: all
};

struct Cancel {
  std::string id;
};

using Request = std::variant<Query, Cancel>;

// Throws Error that says what is wrong in the line. The text is the whole line.
Request read_request(std::string_view line, const Query& presets);

// The id of a line that was refused, as JSON; "null" when it has none.
std::string id_of(std::string_view line);

// Moves in order: most visits, then the best for the mover, the one chosen before its equals.
void sort_children(AnyVerdict& verdict, int mover);

// What it found, of children the first `top`; 0: all.
Json verdict_json(const AnyGame& game, const AnyVerdict& verdict, std::size_t top);

enum class Answer { report, last };  // while the player thinks; what it came to
std::string answer_line(const Query& query, const AnyGame& game, const AnyPlayer& player,
                        const AnyMatch& match, AnyVerdict verdict, Answer which);
std::string error_line(const std::string& id, const std::string& message);
std::string cancelled_line(const std::string& id);

}  // namespace polymax::protocol
