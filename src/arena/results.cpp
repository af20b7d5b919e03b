#include "arena/results.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <span>
#include <utility>

#include "arena/checksum.hpp"
#include "arena/gather.hpp"
#include "arena/shard.hpp"
#include "arena/store.hpp"
#include "arena/study.hpp"
#include "arena/study_lines.hpp"
#include "core/columns.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/lists.hpp"
#include "core/number.hpp"

namespace polymax::arena {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "# polymax results 1", kStudy = "# study ",
                           kComputed = "# computed ", kSum = "# sum ",
                           kColumns = "k,length,result,points,moves,evaluations",
                           kTimedColumns = ",seconds,overrun", kError = ",error";
// F: the seat has forfeited the match.
constexpr std::string_view kLetters = "LDWF";
constexpr std::array<float, 4> kGains{-1, 0, 1, -1};

char letter_of(const StudyRow& row, std::size_t seat) {
  const float gain = row.gain.seats[seat];
  if (row.forfeit == static_cast<int>(seat)) return 'F';
  return gain > 0 ? 'W' : gain < 0 ? 'L' : 'D';
}

// One that has no points for some seat tells none.
bool has_points(const StudyRow& row, std::size_t seats) {
  return std::ranges::none_of(std::span(row.points.seats).first(seats),
                              [](float points) { return std::isnan(points); });
}

// number(seat) for every seat of a match, separated by spaces.
template <class Number>
std::string by_seat(std::size_t seats, const Number& number) {
  std::vector<std::string> out;
  for (std::size_t seat = 0; seat < seats; ++seat) out.push_back(number(seat));
  return joined(out, " ");
}

std::string line_of(const Results::Match& match, bool timed) {
  const auto& [row, seats] = match;
  std::vector<std::string> out{std::to_string(row.match), std::to_string(row.length), ""};
  for (std::size_t seat = 0; seat < seats; ++seat) out.back() += letter_of(row, seat);
  out.push_back(by_seat(has_points(row, seats) ? seats : 0,
                        [&](std::size_t s) { return shortest_text(row.points.seats[s]); }));
  out.push_back(by_seat(seats, [&](std::size_t s) { return std::to_string(row.use[s].moves); }));
  out.push_back(
      by_seat(seats, [&](std::size_t s) { return std::to_string(row.use[s].evaluations); }));
  if (timed) {
    out.push_back(by_seat(seats, [&](std::size_t s) { return shortest_text(row.use[s].seconds); }));
    out.push_back(by_seat(seats, [&](std::size_t s) { return shortest_text(row.use[s].overrun); }));
  }
  out.push_back(one_line(row.forfeited() ? row.reason : row.error));
  return joined(out, ",");
}

// Lines of a text, with the number of the last one for complaints.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  bool more() const { return !rest_.empty(); }
  std::string_view next() {
    ++number_;
    const auto end = rest_.find('\n');
    if (end == std::string_view::npos) fail("is not whole");
    const std::string_view out = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return out;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error("line " + std::to_string(number_) + " of the results " + what, Error::Kind::failed);
  }
  // What stands behind `begin` in the next line, which must begin so.
  std::string_view next(std::string_view begin) {
    const std::string_view line = next();
    if (!line.starts_with(begin)) fail("must begin with '" + std::string(begin) + "'");
    return line.substr(begin.size());
  }
  template <class T>
  T number(std::string_view text) const {
    const auto out = number_of<T>(text);
    if (!out || !std::isfinite(static_cast<double>(*out))) fail("has something else than a number");
    return *out;
  }
  // One for every seat.
  template <class T>
  std::vector<T> numbers(const std::string& text, std::size_t seats) const {
    std::vector<T> out;
    if (!text.empty())
      for (const auto& part : split(text, ' ')) out.push_back(number<T>(part));
    if (out.size() != seats) fail("does not have a number for every seat");
    return out;
  }

 private:
  std::string_view rest_;
  int number_ = 0;
};

// Cells up to the last, the error or the reason of a forfeit, which may have commas.
std::vector<std::string> cells_of(std::string_view line, std::size_t count, const Lines& lines) {
  std::vector<std::string> out;
  while (out.size() + 1 < count) {
    const auto comma = line.find(',');
    if (comma == std::string_view::npos) lines.fail("has too few cells");
    out.emplace_back(line.substr(0, comma));
    line.remove_prefix(comma + 1);
  }
  out.emplace_back(line);
  return out;
}

Results::Match match_of(std::string_view line, bool timed, const Lines& lines) {
  const auto cells = cells_of(line, timed ? 9 : 7, lines);
  Results::Match match;
  match.seats = cells[2].size();
  const std::size_t seats = match.seats;
  StudyRow& out = match.row;
  out.match = lines.number<std::uint64_t>(cells[0]);
  out.length = lines.number<int>(cells[1]);
  const auto forfeit = cells[2].find('F');
  if (forfeit != std::string::npos) {
    out.forfeit = static_cast<int>(forfeit);
    out.reason = cells.back();
  } else {
    out.error = cells.back();
  }
  if (seats > kMaxPlayers || (seats == 0) != out.failed() ||
      forfeit != cells[2].rfind('F'))  // one seat at most
    lines.fail("needs a result for every seat, or an error");
  const auto points = cells[3].empty() ? std::vector(seats, std::numeric_limits<float>::quiet_NaN())
                                       : lines.numbers<float>(cells[3], seats);
  const auto moves = lines.numbers<int>(cells[4], seats);
  const auto evaluations = lines.numbers<std::uint64_t>(cells[5], seats);
  std::vector<double> seconds(seats), overruns(seats);
  if (timed) {
    seconds = lines.numbers<double>(cells[6], seats);
    overruns = lines.numbers<double>(cells[7], seats);
  }
  for (std::size_t s = 0; s < seats; ++s) {
    const auto letter = kLetters.find(cells[2][s]);
    if (letter == std::string_view::npos) lines.fail("has a result that is not W, D, L or F");
    out.gain.seats[s] = kGains[letter];
    out.points.seats[s] = points[s];
    out.use[s] = {moves[s], evaluations[s], seconds[s], overruns[s]};
  }
  return match;
}

}  // namespace

std::string results_text(const Results& results) {
  std::string out(kMagic);
  out += "\n" + std::string(kStudy) + results.identity + "\n";
  for (const auto& computed : results.computed) out += std::string(kComputed) + computed + "\n";
  out += std::string(kColumns) + std::string(results.timed ? kTimedColumns : "") +
         std::string(kError) + "\n";
  for (const auto& match : results.matches) out += line_of(match, results.timed) + "\n";
  return out + std::string(kSum) + checksum_text(out) + "\n";
}

Results read_results_text(std::string_view text) {
  Lines lines(text);
  if (lines.next() != kMagic) lines.fail("must be '" + std::string(kMagic) + "'");
  Results out;
  out.identity = lines.next(kStudy);
  std::string_view line = lines.next();
  for (; line.starts_with(kComputed); line = lines.next())
    out.computed.emplace(line.substr(kComputed.size()));
  out.timed = line == std::string(kColumns) + std::string(kTimedColumns) + std::string(kError);
  if (!out.timed && line != std::string(kColumns) + std::string(kError))
    lines.fail("must name the columns");
  for (line = lines.next(); !line.starts_with('#'); line = lines.next()) {
    out.matches.push_back(match_of(line, out.timed, lines));
    if (out.matches.size() > 1 &&
        !(out.matches.rbegin()[1].row.match < out.matches.back().row.match))
      lines.fail("is not behind the one before");
  }
  const auto before = static_cast<std::size_t>(line.data() - text.data());
  if (lines.more() || line != std::string(kSum) + checksum_text(text.substr(0, before)))
    lines.fail("should be the last, with the checksum of all before it");
  return out;
}

std::string results_file(const std::string& folder) {
  return (fs::path(folder) / "results.csv").string();
}

Published published_results(const Study& study) {
  const std::string path = results_file(study.folder());
  if (!fs::exists(path)) return {};
  const std::string text = read_file(path);
  Results results;
  try {
    results = read_results_text(text);
  } catch (const Error& error) {
    throw Error("'" + path + "': " + error.what() +
                    "; get it again, or move it away: matches that no shard has are then lost, and "
                    "`polymax study publish` writes it anew from the shards",
                Error::Kind::failed);
  }
  check_identity(results.identity, path, study.identity());
  Published out;
  out.computed = std::move(results.computed);
  for (auto& [row, seats] : results.matches) {
    const bool there = row.match < study.schedule().size();
    if (there) place(row, study.schedule().at(row.match));
    if (!there || (!row.failed() && static_cast<int>(seats) != study.game(row.game).players()))
      throw Error("'" + path + "': match " + std::to_string(row.match) + " is not of this study",
                  Error::Kind::failed);
    out.rows.push_back(std::move(row));
  }
  return out;
}

std::size_t publish_results(const Study& study) {
  const auto gathered = gather(study);
  const auto table = load_table(study);
  Results out{study.identity(), gathered.computed, study.timed(), {}};
  for (const auto& row : table.rows)
    out.matches.push_back(
        {row, row.failed() ? 0 : static_cast<std::size_t>(study.game(row.game).players())});
  if (out.matches.empty())
    throw Error("no match of '" + study.folder() + "' was played yet: polymax study run");
  write_file(results_file(study.folder()), results_text(out));
  return out.matches.size();
}

}  // namespace polymax::arena
