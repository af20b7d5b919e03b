// Lessons that workers leave in a folder (exchange.hpp). A thread reads ahead: one file of each
// worker in turn, every worker's oldest first. A file is removed when its last lesson was taken: a
// killed trainer finds what it had not taken, and meets the first lessons of a half-taken file
// again; lessons taken since its last checkpoint are lost. New networks are written for the workers
// at most every few seconds.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "learn/exchange.hpp"
#include "learn/source.hpp"

namespace polymax::learn {

struct FolderSourceSettings {
  std::string exchange;      // where the workers write; made when it is not there
  std::string net;           // file of the network for the workers
  double publish_every = 2;  // seconds between networks, at least
  double alive_for = 15;     // seconds without a sign of life after which a worker is not counted
  std::function<void(const std::string&)> note;  // told of damaged files
};

class FolderSource final : public Source {
 public:
  // Publishes the first net. first_match: what begun() says, for no match begins here. Throws Error
  // when another trainer uses the folder.
  FolderSource(const Subject& subject, FolderSourceSettings settings, const Net& first,
               std::uint64_t first_match);
  ~FolderSource() override;

  // Throws Error when a file is of another game, or turned when the net is not.
  std::optional<Lesson> next(std::chrono::milliseconds wait) override;
  void set_weights(const Net& net) override;
  std::uint64_t evaluated() const override { return evaluated_; }  // in the lessons taken
  std::optional<double> busy() const override { return std::nullopt; }
  std::uint64_t begun() const override { return first_match_; }

  std::size_t waiting() const;  // lessons not taken, as last seen
  int alive() const;            // workers
  void finish();                // tells the workers that no more lessons are wanted

 private:
  using Clock = std::chrono::steady_clock;

  struct Batch {
    std::string path;
    LessonFile file;
    std::size_t next = 0;
  };
  struct Seen {
    std::string state;
    Clock::time_point changed;
    bool alive = false;
  };

  void read(const std::stop_token& stop);
  void look();
  void look_at_worker(const std::string& name);
  std::optional<WaitingFile> choose();
  std::vector<FolderEntry> workers();
  std::optional<std::string> bytes_of(const std::string& path);
  std::optional<Batch> load(const WaitingFile& file);
  void publish();
  void take_front();
  void remove(const std::string& path);

  Subject subject_;
  FolderSourceSettings settings_;
  std::unique_ptr<Held> held_;
  std::uint64_t first_match_, evaluated_ = 0;
  bool turned_;  // as the net wants the samples
  std::optional<Net> unpublished_;
  Clock::time_point published_;

  // of the reading thread
  std::map<std::string, std::deque<WaitingFile>> found_;
  std::string last_worker_;
  std::map<std::string, int> unreadable_;  // how often each could not be read; a folder too

  mutable std::mutex mutex_;  // of all below
  std::condition_variable_any ready_, room_;
  std::deque<Batch> batches_;
  std::set<std::string> open_;       // files read and not removed
  std::vector<std::string> undead_;  // files whose lessons were taken and that could not be removed
  std::map<std::string, Seen> seen_;
  std::size_t unread_ = 0;  // lessons in files found and not read
  std::exception_ptr failure_;
  std::jthread reader_;
};

}  // namespace polymax::learn
