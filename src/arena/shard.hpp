// A shard: the matches one process has played, in a file of its own that only grows. Every line is
// JSON and begins with a checksum of the rest: {"sum":"0123456789abcdef","k":17,...}. The first
// line says which study it belongs to. A line is on the disk before the next match is counted;
// after a crash the last line may be torn, it is ignored and cut off by the next run. A broken line
// elsewhere is an error that names it, unless repair is asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/file.hpp"
#include "core/part_name.hpp"

namespace polymax::arena {

// What a file holds, as far as checksums tell.
struct ShardScan {
  std::string identity;             // of the study; empty: the file is empty or its first line torn
  std::string computed;             // what computed the values of networks; empty: nobody said
  std::vector<std::uint64_t> done;  // matches, in the order of the file
  std::size_t good_bytes = 0;       // up to the end of the last good line
  bool torn = false;                // something follows that is not a whole line
  std::vector<std::size_t> broken;  // numbers of broken lines in the middle, from 1; a file that
                                    // never was a shard: line 1
};

// each(k, line): called for every good match line, without the line end. Throws Error when the file
// cannot be read.
ShardScan scan_shard(const std::string& path,
                     const std::function<void(std::uint64_t, std::string_view)>& each = {});

// Throws Error when what the file at `path` holds is of another study: with the differences.
void check_identity(const std::string& of_file, const std::string& path,
                    const std::string& identity);

// Throws Error for broken lines, or a study that is not `identity`: with the differences.
void check_shard(const ShardScan& scan, const std::string& path, const std::string& identity);

// Files of a study's folder, by name.
std::vector<std::string> shard_files(const std::string& folder);

// Holds a shard's file as its writer does. Throws Error when another process has it.
std::unique_ptr<GrowingFile> hold_shard(const std::string& path);

// Writes the file again without its broken lines; the old one is kept as PATH.broken (.broken2 ...
// where there is one). The caller holds it.
void repair_shard(const std::string& path);

enum class BrokenLines { refused, left_out };

// The file of this process, held as long as the object lives.
class ShardWriter {
 public:
  // Makes folder and file when they are not there, cuts off a torn line. Throws Error when another
  // process has it. Nothing is written before the first match: a study that turns out to be wrong
  // until then leaves an empty file, and may be corrected.
  // computed: what computes the values of networks here, for the first line.
  ShardWriter(const std::string& folder, const PartName& name, std::string identity,
              BrokenLines broken, std::string computed = "");

  const ShardScan& found() const { return found_; }  // what was there at the beginning
  const std::string& path() const { return file_->path(); }

  // members: the members of the line's object after the checksum, `"k":17,...}`. On the disk when
  // it returns; after an Error (disk full) the file is as before.
  void append(std::string_view members);

 private:
  std::string identity_, computed_;
  std::unique_ptr<GrowingFile> file_;
  bool begun_ = false;  // the first line is there
  ShardScan found_;
};

}  // namespace polymax::arena
