#include "arena/sgf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <optional>
#include <sstream>

#include "arena/pentobi.hpp"
#include "arena/record.hpp"
#include "core/error.hpp"
#include "core/number.hpp"
#include "core/seats_text.hpp"

namespace polymax::arena {

namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == ']' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string move_node(const MoveRecord& move, std::size_t players) {
  std::string out = ";" + sgf_property(std::to_string(move.seat + 1), move.move);
  if (!move.valued) return out;
  out += sgf_property("C", seats_text(move.value, players)) +
         sgf_property("EV", std::to_string(move.evaluations));
  if (move.seconds > 0) out += sgf_property("TM", fmt::format("{}", move.seconds));
  return out;
}

struct Property {
  std::string name, value;
};
using Node = std::vector<Property>;

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  // The next game as a list of nodes, the first of every variation; none at the end of the text.
  std::optional<std::vector<Node>> next_game() {
    skip_blanks();
    if (at_ == text_.size()) return std::nullopt;
    take('(', "a game begins with '('");
    std::vector<Node> out;
    int depth = 1;
    branched_ = false;
    for (skip_blanks(); peek() == ';' || peek() == '('; skip_blanks()) {
      if (peek() == ';') {
        out.push_back(node());
        continue;
      }
      branched_ = true;
      ++depth, ++at_;
    }
    for (; depth > 0; --depth) {
      take(')', "a game ends with ')'");
      for (skip_blanks(); depth > 1 && peek() == '('; skip_blanks()) pass_over_tree();
    }
    if (out.empty()) fail("a game without nodes");
    return out;
  }

  bool branched() const { return branched_; }  // the last game had variations

  [[noreturn]] void fail(const std::string& message) const {
    const auto line =
        1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    throw Error(fmt::format("line {}: {}", line, message));
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  void take(char c, const char* message) {
    if (peek() != c) fail(message);
    ++at_;
  }

  void pass_over_tree() {
    int depth = 0;
    do {
      skip_blanks();
      if (peek() == ';') {
        node();
        continue;
      }
      if (peek() != '(' && peek() != ')') fail("a variation ends with ')'");
      depth += peek() == '(' ? 1 : -1;
      ++at_;
    } while (depth > 0);
  }

  Node node() {
    take(';', "a node begins with ';'");
    Node out;
    for (skip_blanks(); std::isalnum(static_cast<unsigned char>(peek())); skip_blanks()) {
      std::string name;
      while (std::isalnum(static_cast<unsigned char>(peek()))) name += text_[at_++];
      skip_blanks();
      take('[', "the value of a property begins with '['");
      out.push_back({name, value()});
      for (skip_blanks(); peek() == '['; skip_blanks()) {
        ++at_;
        out.push_back({name, value()});
      }
    }
    return out;
  }

  std::string value() {
    std::string out;
    while (peek() != ']') {
      if (at_ == text_.size()) fail("a value without its ']'");
      if (peek() == '\\') ++at_;
      if (at_ == text_.size()) fail("a value without its ']'");
      out += text_[at_++];
    }
    ++at_;
    return out;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool branched_ = false;
};

template <class T>
T number(const Reader& reader, const Property& from) {
  const auto out = number_of<T>(from.value);
  if (!out) reader.fail(from.name + "[" + from.value + "] is no number");
  return *out;
}

template <class T>
std::vector<T> numbers(const Reader& reader, const Property& from) {
  std::istringstream words(from.value);
  std::vector<T> out;
  for (std::string word; words >> word;) out.push_back(number<T>(reader, {from.name, word}));
  if (out.size() > kMaxPlayers)
    reader.fail(fmt::format("{} has more than {} numbers", from.name, kMaxPlayers));
  return out;
}

Scores scores(const Reader& reader, const Property& from) {
  const auto list = numbers<float>(reader, from);
  Scores out;
  std::ranges::copy(list, out.seats.begin());
  return out;
}

bool is_seat(const std::string& name) {
  return name.size() == 1 && name[0] >= '1' && name[0] < '1' + kMaxPlayers;
}

void set_text(std::vector<std::string>& texts, std::size_t seat, const std::string& text) {
  texts.resize(std::max(texts.size(), seat + 1));
  texts[seat] = text;
}

void read_root(const Reader& reader, const Property& p, MatchRecord& out) {
  if (p.name == "GM") out.game = p.value;
  if (p.name == "SD") out.start = number<std::uint64_t>(reader, p);
  if (p.name == "ER") out.error = p.value;
  if (p.name == "FO") {
    if (!is_seat(p.value.substr(0, 1)) || p.value.substr(1, 1) != " ")
      reader.fail("FO[" + p.value + "] does not begin with a seat: FO[2 reason]");
    out.forfeit = p.value[0] - '1';
    out.reason = p.value.substr(2);
  }
  if (p.name == "SC") out.score = scores(reader, p);
  if (p.name == "PT") out.points = scores(reader, p);
  if (p.name == "RE") {
    out.gain = scores(reader, p);
    out.over = true;
  }
  if (p.name == "OV") {
    const auto overrun = numbers<double>(reader, p);
    for (std::size_t seat = 0; seat < overrun.size(); ++seat) out.use[seat].overrun = overrun[seat];
  }
  if (p.name.size() == 2 && is_seat(p.name.substr(1))) {
    const auto seat = static_cast<std::size_t>(p.name[1] - '1');
    if (p.name[0] == 'P') set_text(out.players, seat, p.value);
    if (p.name[0] == 'B') set_text(out.budgets, seat, p.value);
  }
}

void read_move(const Reader& reader, const Node& node, MatchRecord& out) {
  MoveRecord move;
  bool found = false;
  for (const auto& p : node) {
    if (is_seat(p.name)) {
      if (found) reader.fail("two moves in one node");
      found = true;
      move.seat = p.name[0] - '1';
      move.move = p.value;
    }
    if (p.name == "EV") {
      move.valued = true;
      move.evaluations = number<std::uint64_t>(reader, p);
    }
    if (p.name == "TM") move.seconds = number<double>(reader, p);
  }
  if (!found) return;
  if (move.valued)  // else a comment is anybody's
    for (const auto& p : node)
      if (p.name == "C") move.value = scores(reader, p);
  out.moves.push_back(move);
}

// What Pentobi's files may hold and we cannot play.
void check_pentobi(const Reader& reader, const Node& node) {
  for (const auto& p : node)
    for (const char* setup : {"A1", "A2", "A3", "A4", "AE", "AB", "AW", "PL"})
      if (p.name == setup) reader.fail("pieces set up beforehand (" + p.name + ") are not read");
}

std::string value_of(const Node& node, std::string_view name) {
  const auto at = std::ranges::find(node, name, &Property::name);
  return at == node.end() ? "" : at->value;
}

}  // namespace

std::string sgf_property(const std::string& name, const std::string& value) {
  return name + "[" + escaped(value) + "]";
}

std::string sgf_text(const MatchRecord& record) {
  const std::size_t players = record.players.size();
  std::string out = "(;FF[4]CA[UTF-8]AP[polymax]" + sgf_property("GM", record.game) +
                    sgf_property("SD", std::to_string(record.start));
  for (std::size_t p = 0; p < players; ++p)
    out += sgf_property("P" + std::to_string(p + 1), record.players[p]);
  for (std::size_t p = 0; p < record.budgets.size(); ++p)
    if (!record.budgets[p].empty())
      out += sgf_property("B" + std::to_string(p + 1), record.budgets[p]);
  if (record.over)
    out += sgf_property("RE", seats_text(record.gain, players)) +
           sgf_property("SC", seats_text(record.score, players)) +
           sgf_property("PT", seats_text(record.points, players));
  if (!record.error.empty()) out += sgf_property("ER", record.error);
  if (record.forfeit >= 0)
    out += sgf_property("FO", std::to_string(record.forfeit + 1) + " " + record.reason);
  if (std::ranges::any_of(record.use, [](const SeatUse& use) { return use.overrun > 0; })) {
    std::string overrun;
    for (std::size_t p = 0; p < players; ++p)
      overrun += fmt::format("{}{}", p == 0 ? "" : " ", record.use[p].overrun);
    out += sgf_property("OV", overrun);
  }
  for (const auto& move : record.moves) out += "\n" + move_node(move, players);
  return out + ")\n";
}

std::vector<MatchRecord> read_sgf(std::string_view text) {
  Reader reader(text);
  std::vector<MatchRecord> out;
  while (const auto nodes = reader.next_game()) {
    MatchRecord record;
    record.points.seats.fill(std::numeric_limits<float>::quiet_NaN());  // until PT tells them
    for (const auto& p : nodes->front()) read_root(reader, p, record);
    if (record.game.empty())
      reader.fail("the game before this line has no GM[...]: which game it is");
    const bool pentobi = record.game == kPentobisName;
    if (reader.branched() && !pentobi)
      reader.fail("variations are not read: one line of play for each game");
    for (const auto& node : *nodes) {
      if (pentobi) check_pentobi(reader, node);
      read_move(reader, node, record);
    }
    if (pentobi) {
      out.push_back(from_pentobi(record, value_of(nodes->front(), "GS")));
      continue;
    }
    if (!record.budgets.empty()) record.budgets.resize(record.players.size());
    sum_use(record);
    if (!record.over) record.points = {};
    out.push_back(std::move(record));
  }
  return out;
}

}  // namespace polymax::arena
