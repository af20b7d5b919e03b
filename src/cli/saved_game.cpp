#include "cli/saved_game.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/error.hpp"

namespace polymax::cli {

namespace {

[[noreturn]] void failed(const std::string& what, const std::string& path) {
  throw Error(what + " '" + path + "': " + std::strerror(errno), Error::Kind::failed);
}

void write_all(int file, const std::string& text, const std::string& path) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(file, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) failed("cannot write", path);
    done += static_cast<std::size_t>(n);
  }
}

std::vector<float> seats(const Scores& scores, int players) {
  return {scores.seats.begin(), scores.seats.begin() + players};
}

}  // namespace

std::string saved_line(SavedGame saved, const AnyGame& game, const AnyMatch& match) {
  nlohmann::ordered_json out{
      {"game", saved.game}, {"seed", saved.seed}, {"players", saved.players}, {"moves", match.history()}};
  if (match.over()) {
    out["score"] = seats(match.score(), game.players());
    out["gain"] = seats(match.gain(), game.players());
  }
  return out.dump() + '\n';
}

void write_file(const std::string& path, const std::string& text) {
  const std::string part = path + ".part";
  const int file = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) failed("cannot create", part);
  try {
    write_all(file, text, part);
    if (::fsync(file) != 0) failed("cannot write", part);
  } catch (...) {
    ::close(file);
    ::unlink(part.c_str());
    throw;
  }
  ::close(file);
  if (std::rename(part.c_str(), path.c_str()) != 0) failed("cannot write", path);
}

SavedGame load_game(const std::string& path) {
  std::ifstream file(path);
  if (!file) failed("cannot read", path);
  try {
    const auto json = nlohmann::json::parse(file);
    return {json.at("game"), json.at("seed"), json.at("players"), json.at("moves")};
  } catch (const nlohmann::json::exception& error) {
    throw Error("'" + path + "' is no saved game: " + error.what());
  }
}

}  // namespace polymax::cli
