// UGI with seats: the command loop of `polymax engine`, without a process around it. Lines go in by
// obey(), lines come out through the sink; the search has a thread of its own, so that `stop`,
// `isready` and `quit` are answered while it thinks. docs/protocol.md describes the language.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "catalog/any.hpp"
#include "protocol/thinker.hpp"

namespace polymax::protocol {

using Sink = std::function<void(const std::string& line)>;  // a line without its end

class UgiLoop {
 public:
  // The sink is called by one thread at a time. Throws Error for a bad player or budget.
  UgiLoop(const AnyGame& game, const EngineSettings& settings, Sink sink);
  ~UgiLoop();
  UgiLoop(const UgiLoop&) = delete;
  UgiLoop& operator=(const UgiLoop&) = delete;

  // False after `quit`. Never throws for what a line says: that is an `error` line.
  bool obey(std::string_view line);

  // Waits for the search that is under way, if it ends by itself; stops an endless one.
  void finish();

 private:
  void say(const std::string& line);
  bool dispatch(const std::vector<std::string>& words);
  void introduce();
  void set_option(const std::vector<std::string>& words);
  void set_position(const std::vector<std::string>& words);
  void go(const std::vector<std::string>& words);
  void query(const std::vector<std::string>& words);
  std::string result_text(const std::string& what) const;
  void think(const Budget& budget);
  std::string info_line(const AnyVerdict& verdict) const;
  void must_be_idle() const;
  bool thinking() const;
  void stop();

  const AnyGame& game_;
  EngineSettings settings_;
  Budget budget_;
  Sink sink_;
  std::mutex saying_;
  Thinker thinker_;
  std::unique_ptr<AnyMatch> match_;
  bool endless_ = false;
  std::atomic<bool> busy_ = false;  // from `go` to its `bestmove`
  std::jthread search_;             // last: it uses all above
};

}  // namespace polymax::protocol
