// The life of a run of learning, from its folder to its last network: `polymax train` and Python
// are thin around it. A folder holds one run: run.json says what it is, so that going on needs no
// repetition; checkpoints, the journal and net.safetensors lie beside it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <stop_token>
#include <string>

#include "learn/journal.hpp"
#include "learn/lesson.hpp"
#include "learn/loop.hpp"
#include "learn/source.hpp"
#include "nn/net.hpp"

namespace polymax::learn {

// How the matches of a run are played.
struct PlaySettings {
  std::string search = "descent", budget = "evals=100", device = "auto";
  int parallel = 0;  // matches at once; 0: as many as help
  int batch = 2048;  // positions that a GPU values at once, at most
  int resolved = 0;  // MiB for solved positions that are known from match to match
};

// Throws Error when the device is not cpu, cuda or auto, or is cuda where there is none.
bool on_gpu(const PlaySettings& settings);
int matches_at_once(const PlaySettings& settings, bool gpu);
std::shared_ptr<LiveNet> live_net(const PlaySettings& settings, const Net& net, bool gpu);

// What a run needs of its game. catalog/run_game.hpp makes it of any game.
struct RunGame {
  Subject subject;
  std::function<Samples(std::uint64_t seed, const RandomMatches& asked)> random_samples;
  std::function<PlayMatch(const PlaySettings&)> matches;  // throws Error for a bad search or budget
  std::function<RunGame(const std::string& spec)> open;   // another size of the game
};

// Throws Error for a search that cannot play the game or teach, or a budget that is none: a match
// is tried that is over at once.
void try_search(const RunGame& game, PlaySettings settings);

struct RunSettings {
  std::string out;         // folder of the run
  std::string net, learn;  // settings as in specs, "channels=16,blocks=2"; the others by default
  std::string from;        // a checkpoint or a network to begin with
  std::string in;          // folder of workers that play elsewhere; empty: matches are played here
  PlaySettings play;
  double minutes = 0;         // the end of the run, restarts included; 0: none
  std::uint64_t matches = 0;  // likewise
  double checkpoint_every = 120, journal_every = 5;  // seconds
  std::uint64_t seed = 0;
  int threads = 0;  // of a trainer on the CPU; 0: as many as help
  bool resume = false;

  // With resume: what was asked for and is not to be taken from the folder, by the keys of
  // run.json (net, search, budget, from, in, keep_resolved, minutes, matches, seed).
  std::set<std::string> given;
};

bool is_run(const std::string& folder);

// What the folder's run.json says. Throws Error when it is something else or of another game.
RunSettings read_run(const std::string& folder, const std::string& game);

// How a run begins, for people.
struct RunStart {
  std::string game;
  NetShape net;
  bool gpu = false;
  int at_once = 0;      // matches; 0: workers play elsewhere
  std::string workers;  // the folder where they meet
};

struct Workers {
  std::size_t waiting = 0;  // lessons not taken yet
  int alive = 0;
};

// Somebody who looks on; called in the thread that learns, `note` also in others. Empty functions:
// nobody does.
struct RunWatch {
  std::function<void(const std::string&)> note;  // something unusual, one line
  std::function<void(const RunStart&)> begins;
  std::function<void(const Entry&, double done, const Workers* elsewhere)> entry;
};

struct RunEnd {
  std::string net;  // file
  Counters counters;
};

// Begins a run in a new folder, or goes on with the one that is there, until its end or until a
// stop is asked for. Throws Error for bad settings, a folder in use and what fails on the way.
RunEnd run(const RunGame& game, RunSettings settings, const RunWatch& watch, std::stop_token stop,
           const MakeTrainer& make_trainer = polymax::make_trainer);

}  // namespace polymax::learn
