#include "arena/store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <vector>

#include "arena/gather.hpp"
#include "arena/results.hpp"
#include "arena/shard.hpp"
#include "arena/study_lines.hpp"
#include "core/error.hpp"
#ifdef POLYMAX_SQLITE
#include "arena/sqlite.hpp"
#endif

namespace polymax::arena {

namespace fs = std::filesystem;

std::string store_file(const std::string& folder) {
  return (fs::path(folder) / "study.sqlite").string();
}

namespace {

void add_published(const Study& study, StudyTable& table, std::set<std::string> computed) {
  auto published = published_results(study);
  table.rows = merged_rows(std::move(table.rows), std::move(published.rows));
  computed.merge(published.computed);
  table.computed = computed_text(computed);
}

}  // namespace

StudyTable load_table(const Study& study, const KeepRecord& keep) {
  StudyTable out = study.table();
  auto computed = each_match(study, [&](std::uint64_t k, std::string_view line) {
    const MatchRecord record = study_record(study, k, line);
    out.rows.push_back(study_row(study, k, record));
    if (keep) keep(out.rows.back(), record);
  });
  add_published(study, out, std::move(computed));
  return out;
}

StudyTable shard_table(const Study& study) {
  StudyTable out = study.table();
  auto there = each_shard_match(study, [&](std::uint64_t k, std::string_view line) {
    out.rows.push_back(study_row(study, k, study_record(study, k, line)));
  });
  add_published(study, out, std::move(there.computed));
  return out;
}

#ifndef POLYMAX_SQLITE

namespace {

[[noreturn]] void fail_without() {
  throw Error(
      "this polymax was built without SQLite (libsqlite3-dev): reports read the shards instead",
      Error::Kind::failed);
}

}  // namespace

bool store_available() {
  return false;
}

Merged merge_shards(const Study&) {
  fail_without();
}

void read_store(const Study&, const std::function<void(std::uint64_t, std::string_view)>&) {
  fail_without();
}

std::set<std::string> each_match(const Study& study,
                                 const std::function<void(std::uint64_t, std::string_view)>& each) {
  return each_shard_match(study, each).computed;
}

#else

namespace {

constexpr const char* kTables = R"(
  CREATE TABLE IF NOT EXISTS study (
    id INTEGER PRIMARY KEY CHECK (id = 0), title TEXT, identity TEXT);
  CREATE TABLE IF NOT EXISTS matches (
    k INTEGER PRIMARY KEY, game TEXT, player TEXT, i INTEGER, j INTEGER, repetition INTEGER,
    seat INTEGER,         -- of the evaluated player, from 1
    error TEXT,           -- NULL unless the match failed
    score REAL,           -- of the evaluated player: 1, 0, -1
    points REAL,  -- of the evaluated player; NULL where the match failed or was forfeited
    length INTEGER,
    evaluations INTEGER, seconds REAL, overrun REAL,     -- of the evaluated player
    line TEXT);           -- the whole match as JSON
)";

// False: the file does not say yet whose it is. Throws Error when it is another's.
bool check_owner(const Database& database, const Study& study) {
  Statement have(database, "SELECT identity FROM study");
  if (!have.step()) return false;
  check_identity(std::string(have.text(0)), store_file(study.folder()), study.identity());
  return true;
}

void open_tables(Database& database, const Study& study) {
  database.run(kTables);
  if (check_owner(database, study)) return;
  Statement insert(database, "INSERT INTO study VALUES (0, ?, ?)");
  insert.bind(study.file().title).bind(study.identity()).finish();
}

bool may_write(const Study& study) {
  const auto may = [](const std::string& path) {
    return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
  };
  const std::string store = store_file(study.folder());
  return may(study.folder()) && (!fs::exists(store) || may(store));
}

void insert(Statement& into, const Study& study, std::uint64_t k, std::string_view line) {
  const auto match = study.schedule().at(k);
  const auto record = study_record(study, k, line);
  const auto& use = record.use[static_cast<std::size_t>(match.seat)];
  into.bind(static_cast<std::int64_t>(k))
      .bind(study.file().games[static_cast<std::size_t>(match.game)].name)
      .bind(study.file().players[static_cast<std::size_t>(match.player)].name)
      .bind(std::int64_t{match.i})
      .bind(std::int64_t{match.j})
      .bind(std::int64_t{match.repetition})
      .bind(std::int64_t{match.seat + 1});
  if (record.error.empty())
    into.bind_nothing().bind(static_cast<double>(record.gain[match.seat]));
  else
    into.bind(record.error).bind_nothing();
  if (record.error.empty() && record.forfeit < 0)
    into.bind(static_cast<double>(record.points[match.seat]));
  else
    into.bind_nothing();
  into.bind(static_cast<std::int64_t>(record.moves.size()))
      .bind(static_cast<std::int64_t>(use.evaluations))
      .bind(use.seconds)
      .bind(use.overrun)
      .bind(line)
      .finish();
}

}  // namespace

bool store_available() {
  return true;
}

Merged merge_shards(const Study& study) {
  Database database(store_file(study.folder()));
  database.run("BEGIN IMMEDIATE");  // undone when the database is closed without COMMIT
  open_tables(database, study);
  const auto count = [&] {
    Statement all(database, "SELECT COUNT(*) FROM matches");
    all.step();
    return static_cast<std::uint64_t>(all.integer(0));
  };
  const std::uint64_t before = count();
  Statement into(database, "INSERT OR REPLACE INTO matches VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  Statement known(database, "SELECT error IS NOT NULL FROM matches WHERE k = ?");
  const auto gathered = gather(study, [&](std::uint64_t k, std::string_view line) {
    known.bind(static_cast<std::int64_t>(k));
    const bool there = known.step(), failed = there && known.integer(0) != 0;
    known.reset();
    if (!there || replaces(is_failed_line(line), failed)) insert(into, study, k, line);
  });
  Merged out;
  out.total = count();
  out.added = out.total - before;
  out.files = gathered.files;
  out.differing = gathered.differing;
  out.computed = gathered.computed;
  database.run("COMMIT");
  return out;
}

void read_store(const Study& study,
                const std::function<void(std::uint64_t, std::string_view)>& each) {
  const std::string path = store_file(study.folder());
  if (!fs::exists(path))
    throw Error("there is no '" + path + "': `polymax study merge` makes it", Error::Kind::failed);
  const Database database(path, Database::Mode::read);
  check_owner(database, study);
  Statement all(database, "SELECT k, line FROM matches ORDER BY k");
  while (all.step()) each(static_cast<std::uint64_t>(all.integer(0)), all.text(1));
}

std::set<std::string> each_match(const Study& study,
                                 const std::function<void(std::uint64_t, std::string_view)>& each) {
  const std::string store = store_file(study.folder());
  if (!may_write(study) && (!fs::exists(store) || !shard_files(study.folder()).empty()))
    return each_shard_match(study, each).computed;
  Merged merged;
  if (may_write(study)) merged = merge_shards(study);
  read_store(study, each);
  return std::move(merged.computed);
}

#endif

}  // namespace polymax::arena
