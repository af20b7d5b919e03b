// Games, matches and players behind names: what everything above the catalog talks to. One virtual
// call per move played.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/random_play.hpp"
#include "core/drawing.hpp"
#include "core/error.hpp"
#include "core/game.hpp"
#include "core/searcher.hpp"
#include "core/spec.hpp"
#include "nn/net_purpose.hpp"

namespace polymax {

class LoadedNet;

namespace learn {
struct Lesson;
struct RandomMatches;
struct Samples;
struct Subject;
}  // namespace learn

// A line of `polymax list`: a game, a search or an evaluator with its settings.
struct Entry {
  std::string name;
  About about;
  std::vector<SettingInfo> settings;
};

// Moves as people read them.
struct InWords {
  using Move = std::string;
};
using AnyVerdict = Verdict<InWords>;
using Watch = Watcher<InWords>;

// What is proven, for people: "win proven", "value exact", ...; empty when nothing is.
std::string proof_text(const AnyVerdict& verdict);

// A game in progress: a position and how it came about.
class AnyMatch {
 public:
  virtual ~AnyMatch() = default;
  virtual std::unique_ptr<AnyMatch> clone() const = 0;
  virtual std::uint64_t seed() const = 0;  // of its start position

  virtual int to_move() const = 0;
  virtual bool over() const = 0;
  virtual Scores score() const = 0;  // of a finished game, as are the next two
  virtual Scores gain() const = 0;
  virtual Scores points() const = 0;
  virtual std::uint64_t hash() const = 0;
  virtual Drawing draw() const = 0;
  virtual std::vector<std::uint64_t> planes() const = 0;  // what networks see; empty: no planes
  virtual std::vector<std::string> legal() const = 0;     // move texts in the game's order
  // Where these moves lie: move plane * cells + cell; empty: the game does not say.
  virtual std::vector<std::uint32_t> legal_places() const = 0;

  // The text of the legal move meant by `typed`: the whole text, or the beginning of just one (up
  // to a '-'). Throws Error when it is illegal or ambiguous.
  virtual std::string match_move(std::string_view typed) const = 0;
  virtual void play(std::string_view typed) = 0;
  // The legal move that lies there; false: none does. Faster than by its text.
  virtual bool play_at(std::uint32_t place) = 0;
  virtual bool undo() = 0;  // false at the start
  virtual const std::vector<std::string>& history() const = 0;
};

// A player broke the rules of the match (an engine outside that crashed, was late, played an
// illegal move): its seat loses, nobody else is hurt. All other exceptions of think() are nobody's
// loss.
class Forfeit : public Error {
 public:
  explicit Forfeit(const std::string& reason) : Error(reason, Kind::failed) {}
};

// A search with its evaluator and its memory of one match.
class AnyPlayer {
 public:
  virtual ~AnyPlayer() = default;
  virtual const std::string& spec() const = 0;

  // The match must be of the player's game and not over. Follows the match by itself: moves played
  // since the last call are passed on to the search; after an undo or with another match it starts
  // afresh. Players that answer at once do not let themselves be watched.
  virtual AnyVerdict think(const AnyMatch& match, const Budget& budget,
                           const Watch& watch = {}) = 0;
};

struct Perft {
  std::vector<std::uint64_t> sequences;  // [d-1] = move sequences of exactly d moves
  std::vector<std::pair<std::string, std::uint64_t>> divided;  // of the full depth, by first move
};

class AnyGame {
 public:
  virtual ~AnyGame() = default;

  virtual const std::string& name() const = 0;
  // Canonical text with the settings that are not at their defaults.
  virtual const std::string& spec() const = 0;
  virtual const About& about() const = 0;
  virtual int players() const = 0;
  virtual Points points() const = 0;
  virtual std::optional<NetPurpose> networks() const = 0;  // what its networks are; none: no planes
  virtual int max_length() const = 0;
  virtual std::optional<PlaneShape> planes() const = 0;
  virtual int move_planes() const = 0;  // 0: the game does not say where moves lie
  virtual std::unique_ptr<AnyMatch> start(std::uint64_t seed) const = 0;

  // Throws Error for an unknown search, setting or evaluator, or one that this game does not offer.
  // The game must outlive the player.
  virtual std::unique_ptr<AnyPlayer> player(const Spec& spec, std::uint64_t seed) const = 0;

  virtual Perft perft(const AnyMatch& from, int depth) const = 0;
  virtual RandomPlay random_play(std::uint64_t seed, const RandomPlayLimit& limit) const = 0;

  // ---- learning. Throws Error when the game has no planes, or the search does not teach.
  virtual learn::Subject subject() const = 0;

  // One match of a teaching search against itself, valued by the net; nothing when the budget's
  // stop was asked for. resolved: what other matches have solved, to be used and added to.
  virtual std::optional<learn::Lesson> self_play(std::shared_ptr<const LoadedNet> net,
                                                 const Spec& search, const Budget& budget,
                                                 std::uint64_t seed,
                                                 ResolvedPositions* resolved = nullptr) const = 0;

  virtual learn::Samples random_samples(std::uint64_t seed,
                                        const learn::RandomMatches& asked) const = 0;
};

// A game as the catalog knows it before it is configured.
struct GameEntry {
  Entry entry;
  std::vector<Entry> searches, evaluators;  // those offered for this game
  std::function<std::unique_ptr<const AnyGame>(const Spec& spec)> open;
};

}  // namespace polymax
