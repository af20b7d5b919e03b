// Whole files, read and written safely, and files that grow. Throws Error (failed) with the path
// and the system's reason.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace polymax {

// limit: a file with more bytes is refused before it fills the memory.
std::string read_file(const std::string& path,
                      std::size_t limit = std::numeric_limits<std::size_t>::max());

// The end of a file that holds lines: the whole lines among its last `most` bytes; all of it when
// it is no larger.
std::string read_tail(const std::string& path, std::size_t most);

// Writes to a new name of its own beside it (ends in .part), syncs, renames and syncs the folder,
// so that an existing file is never lost half way and the new one is there when this returns. Two
// writers of one path do not meet: one of both files is there, whole. After an Error nothing is
// left beside it, and the path is as before, unless the folder alone could not be synced. Links are
// followed: the file at their end is replaced. A name that a folder, a device, a pipe or a socket
// has is an Error.
void write_file(const std::string& path, const std::string& text);

// With the folders above it, where they are not there; each is on the disk when this returns.
void make_folder(const std::string& path);

// Whether something has this name. An Error where that cannot be told.
bool exists(const std::string& path);

// What lies in a folder, in the order of the names.
struct FolderEntry {
  std::string name, path;
  bool is_folder = false;
};
std::vector<FolderEntry> files_in(const std::string& folder);

// A file, or an empty folder. What is not there is as good as removed.
void remove_file(const std::string& path);

// New names in a folder are safe when it is on the disk. Passed over where that cannot be asked: a
// folder that may not be read, a file system that has no such thing for folders.
void sync_folder(const std::string& folder);

// A file that one process holds (flock) as long as it lives. Throws Error with `message` when
// another has it, and still has it after `patience` seconds. File systems without locks are taken
// at their word: there nobody is refused.
class Held {
 public:
  Held(const std::string& path, const std::string& message, double patience = 0);
  ~Held();
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

 private:
  int file_ = -1;
};

// A file that only grows, by one process at a time: held as above as long as the object lives.
class GrowingFile {
 public:
  // Opens it, or makes it. Throws Error with `busy` when another process holds it.
  GrowingFile(const std::string& path, const std::string& busy);
  ~GrowingFile();
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  const std::string& path() const { return path_; }
  std::size_t size() const { return size_; }

  void append(std::string_view text);  // after an Error the file is as before
  void sync();                         // all of it is on the disk when this returns
  void cut(std::size_t size);          // to its first bytes

 private:
  std::string path_;
  int file_ = -1;
  std::size_t size_ = 0;
};

}  // namespace polymax
