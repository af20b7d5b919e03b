// Loaded in front of the C library (LD_PRELOAD): lets one call of a process fail as a bad disk or a
// full machine would. POLYMAX_FAULT=KIND:N names the N-th call of a kind (open, write, fsync,
// rename, thread); POLYMAX_FAULT_BELOW is the folder whose files count; POLYMAX_FAULT_DONE is a
// file that is made when the call was met.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

std::array<std::atomic<bool>, 65536> ours{};  // by file descriptor

template <class F>
F real(const char* name) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

void tell() {
  const char* path = std::getenv("POLYMAX_FAULT_DONE");
  if (path == nullptr) return;
  const int file = real<int (*)(const char*, int, ...)>("open")(path, O_CREAT | O_WRONLY, 0644);
  if (file >= 0) real<int (*)(int)>("close")(file);
}

// Counts a call; true when it is the one that fails.
bool fails(std::string_view kind, int reason) {
  static std::atomic<long> calls = 0;
  const char* asked = std::getenv("POLYMAX_FAULT");
  if (asked == nullptr || !std::string_view(asked).starts_with(kind) || asked[kind.size()] != ':')
    return false;
  if (++calls != std::atol(asked + kind.size() + 1)) return false;
  tell();
  errno = reason;
  return true;
}

bool below(const char* path) {
  const char* folder = std::getenv("POLYMAX_FAULT_BELOW");
  return folder != nullptr && path != nullptr && std::string_view(path).starts_with(folder);
}

bool is_ours(int file) {
  return file >= 0 && static_cast<std::size_t>(file) < ours.size() &&
         ours[static_cast<std::size_t>(file)];
}

int opened(const char* name, const char* path, int flags, mode_t mode) {
  const bool counts = below(path);
  if (counts && fails("open", EMFILE)) return -1;
  const int out = real<int (*)(const char*, int, ...)>(name)(path, flags, mode);
  if (out >= 0 && static_cast<std::size_t>(out) < ours.size())
    ours[static_cast<std::size_t>(out)] = counts;
  return out;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  return opened("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  return opened("open64", path, flags, mode);
}

int close(int file) {
  if (is_ours(file)) ours[static_cast<std::size_t>(file)] = false;
  return real<int (*)(int)>("close")(file);
}

ssize_t write(int file, const void* bytes, size_t count) {
  if (is_ours(file) && fails("write", ENOSPC)) return -1;
  return real<ssize_t (*)(int, const void*, size_t)>("write")(file, bytes, count);
}

ssize_t pwrite64(int file, const void* bytes, size_t count, off64_t at) {
  if (is_ours(file) && fails("write", ENOSPC)) return -1;
  return real<ssize_t (*)(int, const void*, size_t, off64_t)>("pwrite64")(file, bytes, count, at);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"  // there is a struct of this name, too
// POLYMAX_FAULT=locks:0: a file system that has none.
int flock(int file, int what) {
  const char* asked = std::getenv("POLYMAX_FAULT");
  if (is_ours(file) && asked != nullptr && std::string_view(asked) == "locks:0") {
    tell();
    errno = ENOLCK;
    return -1;
  }
  return real<int (*)(int, int)>("flock")(file, what);
}
#pragma GCC diagnostic pop

int fsync(int file) {
  if (is_ours(file) && fails("fsync", EIO)) return -1;
  return real<int (*)(int)>("fsync")(file);
}

int fdatasync(int file) {
  if (is_ours(file) && fails("fsync", EIO)) return -1;
  return real<int (*)(int)>("fdatasync")(file);
}

int rename(const char* from, const char* to) {
  if (below(to) && fails("rename", EIO)) return -1;
  return real<int (*)(const char*, const char*)>("rename")(from, to);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*begin)(void*),
                   void* argument) {
  if (fails("thread", EAGAIN)) return EAGAIN;
  return real<int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>(
      "pthread_create")(thread, attributes, begin, argument);
}

}  // extern "C"
