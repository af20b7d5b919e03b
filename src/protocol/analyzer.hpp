// Many positions at once: queries go in as lines of JSON, answers come out as they are ready. One
// thread thinks about one query; networks of all queries share their batches behind the evaluator.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "protocol/query.hpp"
#include "protocol/ugi.hpp"

namespace polymax::protocol {

class Analyzer {
 public:
  // default_player: who thinks where neither the query nor the presets name anybody. The sink is
  // called by one thread at a time; a line that it throws at is lost.
  Analyzer(Query presets, std::string (*default_player)(const AnyGame&), int threads, Sink sink);
  ~Analyzer();  // cancels what is left
  Analyzer(const Analyzer&) = delete;
  Analyzer& operator=(const Analyzer&) = delete;

  // A line of JSON; empty ones are passed over. Waits while very many queries wait. Never throws
  // for what a line says: that is an answer with "error".
  void take(std::string_view line);

  void finish();  // waits until everything is answered

 private:
  struct Job {
    Query query;
    std::stop_source stop;
  };
  struct Warm {  // what many queries share
    std::shared_ptr<const AnyGame> game;
    std::map<std::string, std::shared_ptr<AnyPlayer>> players;  // kept for their networks
  };

  void add(Query query);
  void cancel(const Cancel& cancel);
  void work(const std::stop_token& over);
  void answer(Job& job);
  void complain(const std::string& id, const std::string& what);
  std::shared_ptr<const AnyGame> game_of(const std::string& spec);
  std::unique_ptr<AnyPlayer> player_of(const AnyGame& game, const std::string& spec,
                                       std::uint64_t seed);
  void say(const std::string& line);

  Query presets_;
  std::string (*default_player_)(const AnyGame&);
  Sink sink_;
  std::mutex saying_;

  std::mutex mutex_;  // of all below
  std::condition_variable_any changed_;
  std::deque<std::shared_ptr<Job>> waiting_;
  std::map<std::string, std::shared_ptr<Job>> known_;  // waiting or at work, by id
  std::map<std::string, Warm> warm_;
  std::vector<std::jthread> crew_;
};

}  // namespace polymax::protocol
