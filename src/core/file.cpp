#include "core/file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <ranges>
#include <system_error>
#include <thread>
#include <utility>

#include "core/deadline.hpp"
#include "core/error.hpp"

namespace polymax {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void failed(const std::string& what, const std::string& path) {
  throw Error(what + " '" + path + "': " + std::strerror(errno), Error::Kind::failed);
}

[[noreturn]] void failed(const std::string& what, const std::string& path,
                         const std::error_code& why) {
  throw Error(what + " '" + path + "': " + why.message(), Error::Kind::failed);
}

class Descriptor {
 public:
  explicit Descriptor(int file) : file_(file) {}
  ~Descriptor() {
    if (file_ >= 0) ::close(file_);
  }
  int release() { return std::exchange(file_, -1); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return file_; }  // NOLINT: it is one

 private:
  int file_;
};

// False, with errno, when not all was written.
bool write_all(int file, std::string_view text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(file, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

// False when another process has it. Some file systems have no locks and say so: nobody has it.
bool lock_file(int file, const std::string& path) {
  if (::flock(file, LOCK_EX | LOCK_NB) == 0) return true;
  if (errno == EWOULDBLOCK) return false;
  if (errno == ENOLCK || errno == ENOTSUP || errno == ENOSYS) return true;
  failed("cannot lock", path);
}

// Where a file of this name lies: at the end of links, the last of which may lead to nothing yet.
std::string behind_links(const std::string& path) {
  constexpr int kMost = 40;  // as in the system's own walk
  fs::path at = path;
  for (int i = 0; i < kMost; ++i) {
    std::error_code none;
    const fs::path target = fs::read_symlink(at, none);
    if (none) return at.string();
    at = at.parent_path() / target;
  }
  errno = ELOOP;
  failed("cannot write", path);
}

// What has the name already may only be a file: another would take the name of a device.
void check_writable_kind(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return;
  if (S_ISDIR(about.st_mode)) {
    errno = EISDIR;
    failed("cannot write", path);
  }
  if (!S_ISREG(about.st_mode))
    throw Error("cannot write '" + path + "': it is a device, a pipe or a socket, not a file",
                Error::Kind::failed);
}

// A file that nobody else has, beside `path`; removed unless it gets that name.
class Part {
 public:
  explicit Part(const std::string& path) : path_(path) {
    static std::atomic<unsigned> number = 0;
    constexpr int kTries = 1000;  // names left by processes that were killed, or of other machines
    int opened = -1;
    for (int i = 0; i < kTries && opened < 0; ++i) {
      part_ = path + "." + std::to_string(::getpid()) + "-" + std::to_string(number++) + ".part";
      opened = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
      if (opened < 0 && errno != EEXIST) break;
    }
    if (opened < 0) failed("cannot create", path_);
    file_ = opened;
  }
  ~Part() {
    ::close(file_);
    if (!named_) ::unlink(part_.c_str());
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  void write(const std::string& text) const {
    if (!write_all(file_, text) || ::fsync(file_) != 0) failed("cannot write", path_);
  }

  void take_name() {
    if (std::rename(part_.c_str(), path_.c_str()) != 0) failed("cannot write", path_);
    named_ = true;
  }

 private:
  std::string path_, part_;
  int file_ = -1;
  bool named_ = false;
};

}  // namespace

std::string read_file(const std::string& path, std::size_t limit) {
  const int opened = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0) failed("cannot read", path);
  const Descriptor file(opened);
  const auto too_large = [&] {
    return Error("'" + path + "' is larger than " + std::to_string(limit) + " bytes",
                 Error::Kind::failed);
  };
  struct stat about {};
  if (::fstat(file, &about) == 0 && S_ISREG(about.st_mode) &&
      static_cast<std::uintmax_t>(about.st_size) > limit)
    throw too_large();
  std::string out;
  for (;;) {
    const std::size_t size = out.size();
    out.resize(size + (std::size_t{1} << 16));
    const ssize_t n = ::read(file, out.data() + size, out.size() - size);
    if (n < 0 && errno != EINTR) failed("cannot read", path);
    out.resize(size + static_cast<std::size_t>(n < 0 ? 0 : n));
    if (out.size() > limit) throw too_large();
    if (n == 0) return out;
  }
}

std::string read_tail(const std::string& path, std::size_t most) {
  const int opened = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0) failed("cannot read", path);
  const Descriptor file(opened);
  const off_t size = ::lseek(file, 0, SEEK_END);
  if (size < 0) failed("cannot read", path);
  const bool cut = static_cast<std::size_t>(size) > most;
  // one byte more tells whether a line begins there
  const std::size_t from = cut ? static_cast<std::size_t>(size) - most - 1 : 0;
  std::string out(static_cast<std::size_t>(size) - from, '\0');
  std::size_t got = 0;
  while (got < out.size()) {
    const ssize_t n =
        ::pread(file, out.data() + got, out.size() - got, static_cast<off_t>(from + got));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) failed("cannot read", path);
    if (n == 0) break;
    got += static_cast<std::size_t>(n);
  }
  out.resize(got);
  if (cut) out.erase(0, std::min(out.find('\n'), out.size() - 1) + 1);
  return out;
}

void write_file(const std::string& path, const std::string& text) {
  check_writable_kind(path);
  const std::string file = behind_links(path);
  Part part(file);
  part.write(text);
  part.take_name();
  sync_folder(fs::path(file).parent_path().string());
}

void sync_folder(const std::string& folder) {
  const int opened =
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0 && errno == EACCES) return;  // a folder that may be written but not read
  if (opened < 0) failed("cannot sync the folder", folder);
  const Descriptor file(opened);
  if (::fsync(file) != 0 && errno != EINVAL && errno != ENOTSUP)
    failed("cannot sync the folder", folder);
}

void make_folder(const std::string& path) {
  std::error_code problem;
  std::vector<fs::path> above;  // of each level that is made
  for (fs::path at = path; !at.empty() && !fs::is_directory(at, problem); at = above.back())
    above.push_back(at.parent_path());
  fs::create_directories(path, problem);
  if (problem) failed("cannot make the folder", path, problem);
  for (const auto& folder : std::views::reverse(above)) sync_folder(folder.string());
}

bool exists(const std::string& path) {
  std::error_code problem;
  const bool out = fs::exists(path, problem);
  if (problem) failed("cannot look at", path, problem);
  return out;
}

std::vector<FolderEntry> files_in(const std::string& folder) {
  std::vector<FolderEntry> out;
  std::error_code problem, gone;
  fs::directory_iterator at(folder, problem);
  for (; !problem && at != fs::directory_iterator(); at.increment(problem))
    out.push_back({at->path().filename(), at->path(), at->is_directory(gone)});
  if (problem) failed("cannot read the folder", folder, problem);
  std::ranges::sort(out, {}, &FolderEntry::name);
  return out;
}

void remove_file(const std::string& path) {
  std::error_code problem;
  fs::remove(path, problem);
  if (problem) failed("cannot remove", path, problem);
}

Held::Held(const std::string& path, const std::string& message, double patience) {
  const int opened = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (opened < 0) failed("cannot create", path);
  Descriptor file(opened);
  const auto until = after(patience);
  while (!lock_file(file, path)) {
    if (Clock::now() >= until) throw Error(message, Error::Kind::failed);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  file_ = file.release();
}

Held::~Held() {
  ::close(file_);
}

GrowingFile::GrowingFile(const std::string& path, const std::string& busy) : path_(path) {
  const int opened = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (opened < 0) failed("cannot open", path);
  Descriptor file(opened);
  if (!lock_file(file, path))
    throw Error("'" + path + "' is being written by another process: " + busy, Error::Kind::failed);
  struct stat now {};
  if (::fstat(file, &now) != 0) failed("cannot open", path);
  size_ = static_cast<std::size_t>(now.st_size);
  file_ = file.release();
}

GrowingFile::~GrowingFile() {
  ::close(file_);
}

void GrowingFile::append(std::string_view text) {
  if (write_all(file_, text)) {
    size_ += text.size();
    return;
  }
  const int reason = errno;
  [[maybe_unused]] const int cut = ::ftruncate(file_, static_cast<off_t>(size_));
  errno = reason;
  failed("cannot write", path_);
}

void GrowingFile::sync() {
  if (::fsync(file_) != 0) failed("cannot write", path_);
}

void GrowingFile::cut(std::size_t size) {
  if (::ftruncate(file_, static_cast<off_t>(size)) != 0) failed("cannot cut", path_);
  size_ = size;
}

}  // namespace polymax
