#include "arena/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <span>

#include "arena/pentobi.hpp"
#include "arena/sgf.hpp"
#include "catalog/catalog.hpp"
#include "core/columns.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/json.hpp"
#include "core/seats_text.hpp"

namespace polymax::arena {

namespace {

Scores seats_of(const Json& json) {
  if (!json.is_array() || json.size() > kMaxPlayers)
    throw Error(fmt::format("a list of at most {} numbers is wanted", kMaxPlayers));
  Scores out;
  for (std::size_t p = 0; p < json.size(); ++p)
    out.seats[p] =
        json[p].is_null() ? std::numeric_limits<float>::quiet_NaN() : json[p].get<float>();
  return out;
}

constexpr int kUnknownSeat = -1;  // of a record with moves alone
static_assert(kMaxPlayers <= 9, "a seat is one digit, here and in SGF");

Scores unknown_points() {
  Scores out;
  out.seats.fill(std::numeric_limits<float>::quiet_NaN());
  return out;
}

void write_time(const MatchRecord& record, Json& out) {
  Json seconds = Json::array(), overrun = Json::array();
  for (const auto& move : record.moves)
    if (move.valued) seconds.push_back(move.seconds);
  for (std::size_t p = 0; p < record.players.size(); ++p) overrun.push_back(record.use[p].overrun);
  out["time"] = {{"seconds", seconds}, {"overrun", overrun}};
}

// Moves with nothing but their text and seat.
void read_plain_moves(const Json& json, MatchRecord& out) {
  const auto moves = json.at("moves").get<std::vector<std::string>>();
  const auto seats = json.value("seats", std::string());
  if (!seats.empty() && seats.size() != moves.size())
    throw Error("'seats' and 'moves' have different lengths");
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const int seat = seats.empty() ? kUnknownSeat : seats[i] - '1';
    if (!seats.empty() && (seat < 0 || seat >= kMaxPlayers))
      throw Error(fmt::format("'seats' holds something else than digits 1..{}", kMaxPlayers));
    out.moves.push_back({.move = moves[i], .seat = seat});
  }
}

void read_thoughts(const Json& json, MatchRecord& out) {
  if (!json.contains("values")) return;
  if (!out.moves.empty() && out.moves[0].seat == kUnknownSeat)
    throw Error("'values' want 'seats', to tell whose they are");
  const auto& values = json.at("values");
  const auto& evaluations = json.at("evaluations");
  const Json none = Json::array();
  const auto& seconds = json.contains("time") ? json.at("time").at("seconds") : none;
  if (values.size() > out.moves.size() || evaluations.size() != values.size() ||
      (!seconds.empty() && seconds.size() != values.size()))
    throw Error("'moves', 'values', 'evaluations' and 'seconds' do not fit together");
  const std::size_t opening = out.moves.size() - values.size();
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto& move = out.moves[opening + i];
    move.valued = true;
    move.value = seats_of(values[i]);
    move.evaluations = evaluations[i].get<std::uint64_t>();
    if (!seconds.empty()) move.seconds = seconds[i].get<double>();
  }
}

}  // namespace

void sum_use(MatchRecord& record) {
  for (auto& use : record.use) use = {.overrun = use.overrun};
  for (const auto& move : record.moves) {
    if (!move.valued) continue;
    auto& use = record.use[static_cast<std::size_t>(move.seat)];
    ++use.moves;
    use.evaluations += move.evaluations;
    use.seconds += move.seconds;
  }
}

void write_moves(const MatchRecord& record, Timing timing, Json& out) {
  Json moves = Json::array(), values = Json::array(), evaluations = Json::array();
  std::string seats;
  for (const auto& move : record.moves) {
    moves.push_back(move.move);
    seats += static_cast<char>('1' + move.seat);
    if (!move.valued) continue;
    values.push_back(seats_json(move.value, record.players.size()));
    evaluations.push_back(move.evaluations);
  }
  out["moves"] = moves;
  out["seats"] = seats;
  if (!record.error.empty()) out["error"] = record.error;
  if (record.forfeit >= 0)
    out["forfeit"] = {{"seat", record.forfeit + 1}, {"reason", record.reason}};
  if (record.over) {
    out["score"] = seats_json(record.score, record.players.size());
    out["gain"] = seats_json(record.gain, record.players.size());
    out["points"] = seats_json(record.points, record.players.size());
  }
  if (values.empty()) return;
  out["values"] = values;
  out["evaluations"] = evaluations;
  if (timing == Timing::with) write_time(record, out);
}

void read_moves(const Json& json, MatchRecord& out) {
  read_plain_moves(json, out);
  read_thoughts(json, out);
  out.error = json.value("error", std::string());
  if (json.contains("forfeit")) {
    out.forfeit = json.at("forfeit").at("seat").get<int>() - 1;
    json.at("forfeit").at("reason").get_to(out.reason);
    if (out.forfeit < 0 || out.forfeit >= kMaxPlayers)
      throw Error(fmt::format("'forfeit' names a seat that is none of 1..{}", kMaxPlayers));
  }
  if (json.contains("gain")) {
    out.over = true;
    out.gain = seats_of(json.at("gain"));
    out.score = seats_of(json.at("score"));
    out.points = json.contains("points") ? seats_of(json.at("points")) : unknown_points();
  }
  if (json.contains("time") && json.at("time").contains("overrun")) {
    const auto overrun = json.at("time").at("overrun").get<std::vector<double>>();
    for (std::size_t p = 0; p < std::min<std::size_t>(overrun.size(), kMaxPlayers); ++p)
      out.use[p].overrun = overrun[p];
  }
  sum_use(out);
}

std::string record_line(const MatchRecord& record, Timing timing) {
  Json out{
      {"game", record.game}, {"seed", exact_number(record.start)}, {"players", record.players}};
  if (!record.budgets.empty()) out["budgets"] = record.budgets;
  write_moves(record, timing, out);
  return out.dump();
}

MatchRecord read_record_line(std::string_view line) {
  try {
    const auto json = Json::parse(line);
    MatchRecord out;
    json.at("game").get_to(out.game);
    out.start = read_exact(json.at("seed"), "seed");
    out.players = json.at("players").get<std::vector<std::string>>();
    if (out.players.size() > kMaxPlayers)
      throw Error(fmt::format("more than {} players", kMaxPlayers));
    out.budgets = json.value("budgets", std::vector<std::string>());
    if (!out.budgets.empty() && out.budgets.size() != out.players.size())
      throw Error("'players' and 'budgets' have different lengths");
    read_moves(json, out);
    return out;
  } catch (const JsonError& error) {
    if (error.at > 0) throw Error(fmt::format("no record of a match: {}", error.what()));
    throw Error(
        "no record of a match: game, seed, players or moves are missing, or a value is of the "
        "wrong kind");
  }
}

MatchRecord record_of(const AnyGame& game, std::uint64_t start, std::vector<std::string> players,
                      const AnyMatch& match) {
  MatchRecord out;
  out.game = game.spec();
  out.start = start;
  out.players = std::move(players);
  const auto again = game.start(start);
  for (const auto& move : match.history()) {
    out.moves.push_back({.move = move, .seat = again->to_move()});
    again->play(move);
  }
  if (!match.over()) return out;
  out.over = true;
  out.score = match.score();
  out.gain = match.gain();
  out.points = match.points();
  return out;
}

std::vector<MatchRecord> read_records(const std::string& path) {
  constexpr std::size_t kLargest = std::size_t{1} << 30;
  return records_of_text(read_file(path, kLargest), path);
}

std::vector<MatchRecord> records_of_text(const std::string& text, const std::string& path) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) throw Error("'" + path + "' holds no record");
  try {
    const bool named_sgf = path.ends_with(".sgf") || path.ends_with(".blksgf");
    if (text[first] == '(' || (named_sgf && text[first] != '{')) return read_sgf(text);
  } catch (const Error& error) {
    throw Error(one_line("'" + path + "': " + error.what()));
  }
  std::vector<MatchRecord> out;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    ++number;
    begin = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    try {
      out.push_back(read_record_line(line));
    } catch (const Error& error) {
      throw Error(one_line(fmt::format("'{}' line {}: {}", path, number, error.what())));
    }
  }
  return out;
}

void check_record_name(const std::string& path) {
  for (const char* end : {".sgf", ".blksgf", ".jsonl", ".json"})
    if (path.ends_with(end)) return;
  throw Error("'" + path +
              "' should end in .sgf, .blksgf (Pentobi), .jsonl or .json: that says the format");
}

std::string records_text(const std::vector<MatchRecord>& records, const std::string& path) {
  if (path.ends_with(".blksgf") && records.size() != 1)
    throw Error(
        fmt::format("'{}': a file of Pentobi holds one match, not {}", path, records.size()));
  std::string out;
  for (const auto& record : records)
    out += path.ends_with(".sgf")      ? sgf_text(record)
           : path.ends_with(".blksgf") ? blksgf_text(record)
                                       : record_line(record) + '\n';
  return out;
}

std::unique_ptr<AnyMatch> replay_moves(const AnyGame& game, MatchRecord& record) {
  auto match = game.start(record.start);
  if (record.players.size() != static_cast<std::size_t>(game.players()))
    throw Error(fmt::format("the record names {} players, the game has {} seats",
                            record.players.size(), game.players()));
  for (std::size_t i = 0; i < record.moves.size(); ++i) {
    auto& move = record.moves[i];
    if (match->over()) throw Error(fmt::format("move {}: the game was over before it", i + 1));
    if (move.seat == kUnknownSeat) move.seat = match->to_move();
    if (match->to_move() != move.seat)
      throw Error(fmt::format("move {}: seat {} is to move, not {}", i + 1, match->to_move() + 1,
                              move.seat + 1));
    try {
      match->play(move.move);
    } catch (const Error& error) {
      throw Error(one_line(fmt::format("move {}: {}", i + 1, error.what())));
    }
  }
  return match;
}

MatchRecord replay(MatchRecord record) {
  const auto game = catalog::open_game(record.game);
  const auto match = replay_moves(*game, record);
  const auto seats = static_cast<std::size_t>(game->players());
  const bool told = !std::ranges::all_of(std::span(record.points.seats).first(seats),
                                         [](float points) { return std::isnan(points); });
  if (record.forfeit >= 0) {
    if (record.forfeit >= game->players())
      throw Error(fmt::format("seat {} forfeited, the game has {} seats", record.forfeit + 1,
                              game->players()));
    if (match->over()) throw Error("a seat forfeited a game that was over");
    const Scores result = gain_of_forfeit(record.forfeit, game->players());
    if (!told) record.points = result;
    if (record.gain != result || record.score != result || record.points != result)
      throw Error("the result of the record is not the one of the forfeit");
    return record;
  }
  if (match->over() != record.over)
    throw Error(record.over ? "the game is not over after the last move"
                            : "the game is over but has no result");
  if (!record.over) return record;
  if (!told) record.points = match->points();
  if (match->gain() != record.gain || match->score() != record.score ||
      match->points() != record.points)
    throw Error("the result of the record is not the one of the moves");
  return record;
}

}  // namespace polymax::arena
