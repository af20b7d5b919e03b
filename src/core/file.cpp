#include "core/file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "core/error.hpp"

namespace polymax {

namespace {

[[noreturn]] void failed(const std::string& what, const std::string& path) {
  throw Error(what + " '" + path + "': " + std::strerror(errno), Error::Kind::failed);
}

class Descriptor {
 public:
  explicit Descriptor(int file) : file_(file) {}
  ~Descriptor() { ::close(file_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return file_; }  // NOLINT: it is one

 private:
  int file_;
};

void write_all(int file, const std::string& text, const std::string& path) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(file, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) failed("cannot write", path);
    done += static_cast<std::size_t>(n);
  }
  if (::fsync(file) != 0) failed("cannot write", path);
}

// A new name is safe when its folder is on the disk. Some file systems have no such thing for
// folders and say so.
void sync_folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  const int opened =
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return;  // a folder that may be written but not read
  const Descriptor file(opened);
  if (::fsync(file) != 0 && errno != EINVAL && errno != ENOTSUP) failed("cannot write", path);
}

}  // namespace

std::string read_file(const std::string& path, std::size_t limit) {
  const int opened = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0) failed("cannot read", path);
  const Descriptor file(opened);
  std::string out;
  for (;;) {
    const std::size_t size = out.size();
    out.resize(size + (std::size_t{1} << 16));
    const ssize_t n = ::read(file, out.data() + size, out.size() - size);
    if (n < 0 && errno != EINTR) failed("cannot read", path);
    out.resize(size + static_cast<std::size_t>(n < 0 ? 0 : n));
    if (out.size() > limit)
      throw Error("'" + path + "' is larger than " + std::to_string(limit) + " bytes",
                  Error::Kind::failed);
    if (n == 0) return out;
  }
}

void write_file(const std::string& path, const std::string& text) {
  const std::string part = path + ".part";
  {
    const int opened = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (opened < 0) failed("cannot create", part);
    const Descriptor file(opened);
    try {
      write_all(file, text, part);
    } catch (...) {
      ::unlink(part.c_str());
      throw;
    }
  }
  if (std::rename(part.c_str(), path.c_str()) != 0) failed("cannot write", path);
  sync_folder_of(path);
}

}  // namespace polymax
