#include "arena/study_lines.hpp"

#include <charconv>
#include <cmath>

#include "arena/record.hpp"
#include "core/error.hpp"
#include "core/json.hpp"

namespace polymax::arena {

namespace {

constexpr std::string_view kTime = ",\"time\":{", kAt = "\"at\":", kError = ",\"error\":\"";

}  // namespace

std::string study_line(const Study& study, std::uint64_t k, const MatchRecord& record, double at) {
  const auto match = study.schedule().at(k);
  const auto& file = study.file();
  Json out{{"k", k},
           {"game", file.games[static_cast<std::size_t>(match.game)].name},
           {"player", file.players[static_cast<std::size_t>(match.player)].name},
           {"i", match.i},
           {"j", match.j},
           {"repetition", match.repetition},
           {"seat", match.seat + 1}};
  write_moves(record, Timing::with, out);
  out["time"]["at"] = std::floor(at * 1000) / 1000;
  return out.dump().substr(1);
}

std::string_view without_time(std::string_view line) {
  return line.substr(0, line.rfind(kTime));
}

bool is_failed_line(std::string_view line) {
  return line.find(kError) != std::string_view::npos;  // a text would have its quotes escaped
}

double end_time(std::string_view line) {
  const auto found = line.rfind(kAt);
  double out = 0;
  if (found == std::string_view::npos) return 0;
  const char* begin = line.data() + found + kAt.size();
  std::from_chars(begin, line.data() + line.size(), out);
  return out;
}

MatchRecord study_record(const Study& study, std::uint64_t k, std::string_view line) {
  if (k >= study.schedule().size())
    throw Error("match " + std::to_string(k) + " is not in the study");
  const auto match = study.schedule().at(k);
  const AnyGame& game = study.game(match.game);
  MatchRecord out;
  out.game = game.spec();
  out.start = study.start_of(match);
  for (int seat = 0; seat < game.players(); ++seat)
    out.players.push_back(study.player_spec(match, seat).text());
  try {
    read_moves(Json::parse(line), out);
  } catch (const JsonError&) {
    throw Error("match " + std::to_string(k) + ": its line is no record", Error::Kind::failed);
  }
  return out;
}

void place(StudyRow& row, const ScheduledMatch& match) {
  row.game = match.game;
  row.player = match.player;
  row.i = match.i;
  row.j = match.j;
  row.repetition = match.repetition;
  row.seat = match.seat;
}

StudyRow study_row(const Study& study, std::uint64_t k, const MatchRecord& record) {
  StudyRow out;
  out.match = k;
  place(out, study.schedule().at(k));
  out.error = record.error;
  out.forfeit = record.forfeit;
  out.reason = record.reason;
  out.gain = record.gain;
  out.points = record.points;
  out.length = static_cast<int>(record.moves.size());
  out.use = record.use;
  return out;
}

}  // namespace polymax::arena
