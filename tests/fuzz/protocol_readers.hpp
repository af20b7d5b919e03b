// The readers of src/protocol (both command loops and the queries of analyze) and of src/arena
// (records and studies). Apart from readers.hpp, since they need the catalog.
#pragma once

#include <array>
#include <sstream>
#include <string>
#include <string_view>

#include "arena/checksum.hpp"
#include "arena/record.hpp"
#include "arena/results.hpp"
#include "arena/study_file.hpp"
#include "catalog/catalog.hpp"
#include "protocol/gtp.hpp"
#include "protocol/query.hpp"
#include "protocol/ugi.hpp"
#include "protocol/words.hpp"
#include "tests/fuzz/readers.hpp"

namespace polymax::fuzz {

inline protocol::EngineSettings quick_engine() {
  protocol::EngineSettings out;
  out.player = "random";
  out.budget = "evals=1";
  out.report_every = 0;
  return out;
}

// Whole lines that begin with a word of the language, and no more moves than were asked for.
// Accepted: without an error.
inline bool feed_ugi(std::string_view text) {
  static const auto game = catalog::open_game("tictactoe");
  static constexpr std::array<std::string_view, 9> kWords{
      "id", "option", "ugiok", "readyok", "info", "bestmove", "response", "error", ""};
  bool accepted = true;
  int asked = 0, moved = 0;
  {
    protocol::UgiLoop loop(*game, quick_engine(), [&](const std::string& line) {
      promise(line.find_first_of("\r\n") == std::string::npos, "an answer is one line");
      const auto word = line.substr(0, line.find(' '));
      promise(!line.empty() && std::ranges::find(kWords, word) != kWords.end(),
              "no line of UGI: " + line);
      accepted = accepted && word != "error";
      moved += word == "bestmove";
    });
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
      const auto words = protocol::words_of(line);
      asked += !words.empty() && words[0] == "go";
      if (!loop.obey(line)) break;
    }
  }
  promise(moved <= asked, "no move that nobody asked for");
  return accepted;
}

// What a dialogue plays: its first line may be a comment that names one of the dialects.
inline std::string gtp_game(std::string_view text) {
  for (const std::string game : {"othello(n=4)", "amazons(n=4)", "threehex(side=2)", "blokus"})
    if (text.starts_with("#" + game + "\n")) return game;
  return "hex(n=3)";
}

// One answer for every command: = or ?, then no empty line but its end.
inline bool feed_gtp(std::string_view text) {
  std::vector<std::string> said;
  bool accepted = true;
  protocol::GtpLoop loop(
      gtp_game(text), quick_engine(), [&](const std::string& line) { said.push_back(line); },
      [](const Drawing&) { return "a board\n\n"; });
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    said.clear();
    const bool goes_on = loop.obey(line);
    if (!said.empty()) {
      promise(said.size() == 2 && said[1].empty(), "one answer and an empty line");
      promise(said[0].starts_with("=") || said[0].starts_with("?"), "an answer begins with = or ?");
      promise(said[0].find("\n\n") == std::string::npos, "no empty line inside an answer");
      accepted = accepted && said[0][0] == '=';
    }
    if (!goes_on) break;
  }
  return accepted;
}

inline void check_line(const std::string& line) {
  promise(!line.empty() && line.find_first_of("\r\n") == std::string::npos,
          "an answer is one line");
}

// A query with an id that is JSON, or an Error.
inline bool feed_query(std::string_view line) {
  const std::string id = protocol::id_of(line);
  try {
    protocol::Query presets;
    presets.game = "hex";
    const auto request = protocol::read_request(line, presets);
    if (const auto* query = std::get_if<protocol::Query>(&request)) {
      promise(query->id == id, "the id of a query is found");
      promise(query->report_every >= 0, "no negative time");
      check_line(protocol::cancelled_line(query->id));
    }
    return true;
  } catch (const Error& error) {
    check_message(error.what());
    check_line(protocol::error_line(id, error.what()));
    return false;
  }
}

// Records of matches, each of which its line gives again once it has been replayed; or an Error.
inline bool feed_records(std::string_view text) {
  try {
    for (const auto& read : arena::records_of_text(std::string(text), "input")) {
      const std::string line = arena::record_line(arena::replay(read));
      check_line(line);
      promise(arena::record_line(arena::replay(arena::read_record_line(line))) == line,
              "a record survives writing and reading");
    }
    return true;
  } catch (const Error& error) {
    check_message(error.what());
    return false;
  }
}

// A study with something to play, or an Error.
inline bool feed_study(std::string_view text) {
  try {
    const auto study = arena::parse_study("study.json", std::string(text));
    promise(!study.games.empty() && !study.players.empty(), "a study has games and players");
    return true;
  } catch (const Error& error) {
    check_message(error.what());
    return false;
  }
}

// Results that their text gives again, or an Error.
inline bool feed_results(std::string_view text) {
  try {
    const std::string again = arena::results_text(arena::read_results_text(text));
    promise(arena::results_text(arena::read_results_text(again)) == again,
            "results survive writing and reading");
    return true;
  } catch (const Error& error) {
    check_message(error.what());
    return false;
  }
}

// Three times in four with the checksum of what was changed: otherwise nothing gets past it.
inline std::string change_results(const std::string& text, std::uint32_t choice,
                                  const Mutation& mutate) {
  const auto sum = text.rfind("# sum ");
  if (choice % 4 == 0 || sum == std::string::npos) return mutate(text);
  const std::string body = mutate(text.substr(0, sum));
  return body + "# sum " + arena::checksum_text(body) + "\n";
}

constexpr std::array<Reader, 6> kProtocolReaders{{{"ugi", feed_ugi, change_spec},
                                                  {"results", feed_results, change_results},
                                                  {"records", feed_records, change_spec},
                                                  {"study", feed_study, change_spec},
                                                  {"gtp", feed_gtp, change_spec},
                                                  {"query", feed_query, change_spec}}};

}  // namespace polymax::fuzz
