// The few calls of SQLite that store.cpp needs, with Error instead of codes.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace polymax::arena {

class Database {
 public:
  enum class Mode { read, write };  // write makes the file where it is not there

  explicit Database(const std::string& path, Mode mode = Mode::write) : path_(path) {
    sqlite3* raw = nullptr;
    const int flags =
        mode == Mode::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    const int code = sqlite3_open_v2(path.c_str(), &raw, flags, nullptr);
    handle_.reset(raw);
    check(code);
    sqlite3_busy_timeout(raw, 60'000);
  }

  void run(const char* sql) { check(sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr)); }

  void check(int code) const {
    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
    const bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
    throw Error(
        "'" + path_ + "': " + (handle_ ? sqlite3_errmsg(handle_.get()) : sqlite3_errstr(code)) +
            (damaged ? "; delete it: `polymax study merge` makes it again from the shards" : ""),
        Error::Kind::failed);
  }

  sqlite3* get() const { return handle_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
  };
  std::string path_;
  std::unique_ptr<sqlite3, Close> handle_;
};

class Statement {
 public:
  Statement(const Database& database, std::string_view sql) : database_(database) {
    sqlite3_stmt* raw = nullptr;
    database.check(sqlite3_prepare_v2(database.get(), sql.data(), static_cast<int>(sql.size()),
                                      &raw, nullptr));
    handle_.reset(raw);
  }

  Statement& bind(std::int64_t value) {
    database_.check(sqlite3_bind_int64(handle_.get(), ++bound_, value));
    return *this;
  }
  Statement& bind(double value) {
    database_.check(sqlite3_bind_double(handle_.get(), ++bound_, value));
    return *this;
  }
  Statement& bind(std::string_view text) {
    database_.check(sqlite3_bind_text64(handle_.get(), ++bound_, text.data(), text.size(),
                                        SQLITE_TRANSIENT, SQLITE_UTF8));
    return *this;
  }
  Statement& bind_nothing() {
    database_.check(sqlite3_bind_null(handle_.get(), ++bound_));
    return *this;
  }

  // True when there is a row.
  bool step() {
    const int code = sqlite3_step(handle_.get());
    database_.check(code);
    return code == SQLITE_ROW;
  }

  // May be bound again.
  void reset() {
    database_.check(sqlite3_reset(handle_.get()));
    bound_ = 0;
  }

  // Runs once, for statements without rows.
  void finish() {
    step();
    reset();
  }

  std::int64_t integer(int column) const { return sqlite3_column_int64(handle_.get(), column); }
  std::string_view text(int column) const {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(handle_.get(), column));
    return {bytes == nullptr ? "" : bytes,
            static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column))};
  }

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  const Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
  int bound_ = 0;
};

}  // namespace polymax::arena
