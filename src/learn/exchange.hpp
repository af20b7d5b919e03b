// How machines learn together: they meet in a folder and nowhere else. DIR/lessons/<i>-of-<n>/
// belongs to worker i of n and holds <start>-<number>-<lessons>.lesson, the oldest first by name,
// and worker.json, which says how often it was started and changes every few seconds as long as it
// lives. The trainer (folder_source.hpp) takes the lessons away; DIR/over tells the workers that it
// has all it wanted. Any process may die at any time: files appear whole or not at all.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/file.hpp"
#include "core/part_name.hpp"
#include "learn/lesson.hpp"
#include "nn/net.hpp"

namespace polymax::learn {

// Lessons of one game, all played with one network.
struct LessonFile {
  std::string game;
  int rules_version = 1, players = 2, words = 0;  // words of the planes of one position
  std::uint64_t net_steps = 0;                    // learning steps of that network
  bool turned = false;                            // as that network wants it
  std::vector<Lesson> lessons;
  int places = 0;  // of moves; 0: the network has no second head, the lessons say nothing of moves

  bool is_of(const Subject& subject) const;
};

// To be filled with lessons of matches played with the net.
LessonFile lesson_file(const Subject& subject, const Net& net);
void save_lessons(const LessonFile& file, const std::string& path);
// Of the bytes of a file. Throws Error when they are damaged, or something else; whether they are
// of the right game is not looked at.
LessonFile parse_lessons(const std::string& bytes, const std::string& path);

struct WaitingFile {
  std::string path;
  std::size_t lessons = 0;
};
// Lesson files of one worker's folder, oldest first; none when it cannot be read now.
std::vector<WaitingFile> waiting_files(const std::string& worker_folder);

// Removes what writers that were killed have left half written, where that can be done.
void remove_parts(const std::string& folder);

std::string lessons_folder(const std::string& exchange);
std::string over_file(const std::string& exchange);

// The seed of a start of a worker: every worker and every start plays other matches.
std::uint64_t worker_seed(std::uint64_t seed, const PartName& name, std::uint64_t start);

// The worker's own side.
class WorkerFolder {
 public:
  // Makes the folder, holds it, counts this start. Throws Error when another process is this
  // worker.
  WorkerFolder(const std::string& exchange, const PartName& name);

  std::uint64_t start() const { return start_; }  // 1 is the first
  std::uint64_t seed(std::uint64_t of_run) const { return worker_seed(of_run, name_, start_); }
  void write(const LessonFile& lessons);
  std::size_t unread() const;  // lessons the trainer has not taken
  void beat();                 // lives
  void end();                  // says that it lives no more
  bool over() const;

 private:
  enum class State { alive, ended };
  void write_state(State state);

  std::string exchange_, path_;
  PartName name_;
  std::unique_ptr<Held> held_;
  std::uint64_t start_ = 1, written_ = 0, lessons_ = 0, beats_ = 0;
};

// Looks for a newer network in a trainer's folder.
class NetWatch {
 public:
  NetWatch(const std::string& folder, const Subject& subject)
      : path_(folder + "/net.safetensors"), subject_(subject) {}

  const std::string& path() const { return path_; }
  // Nothing: none is there, or it is the one given last. Throws Error when it is for something
  // else, or cannot be read several times in a row.
  std::optional<Net> newer();

 private:
  struct Stamp {
    std::int64_t seconds = 0, nanoseconds = 0, size = -1;
    std::uint64_t inode = 0;
    friend bool operator==(const Stamp&, const Stamp&) = default;
  };

  std::string path_;
  Subject subject_;
  Stamp last_;
  int failures_ = 0;
};

}  // namespace polymax::learn
