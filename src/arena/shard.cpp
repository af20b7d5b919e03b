#include "arena/shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "arena/checksum.hpp"
#include "arena/study.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/json.hpp"

namespace polymax::arena {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kSum = "{\"sum\":\"", kAfterSum = "\",",
                           kMatch = "\"k\":", kStudy = "\"study\":";
constexpr std::size_t kDigits = 16;
constexpr const char* kBusy = "two may not play one shard";

std::string line_of(std::string_view members) {
  return std::string(kSum) + checksum_text(members) + std::string(kAfterSum) +
         std::string(members) + "\n";
}

// The members of a good line, or nothing.
std::optional<std::string_view> members_of(std::string_view line) {
  const std::size_t before = kSum.size() + kDigits + kAfterSum.size();
  if (line.size() <= before || !line.starts_with(kSum) ||
      line.substr(before - kAfterSum.size(), 2) != kAfterSum)
    return std::nullopt;
  const std::string_view members = line.substr(before);
  if (checksum_text(members) != line.substr(kSum.size(), kDigits)) return std::nullopt;
  return members;
}

// One good line; false when it is neither a match nor the first line of a shard.
bool take_line(std::string_view line, std::size_t number, ShardScan& out,
               const std::function<void(std::uint64_t, std::string_view)>& each) {
  const auto members = members_of(line);
  if (!members) return false;
  if (number == 1) {
    if (!members->starts_with(kStudy)) return false;
    const auto first = Json::parse(line);
    out.identity = first.at("study").dump();
    out.computed = first.value("computed", "");
    return true;
  }
  std::uint64_t k = 0;
  if (!members->starts_with(kMatch)) return false;
  const char* begin = members->data() + kMatch.size();
  if (std::from_chars(begin, members->data() + members->size(), k).ec != std::errc{}) return false;
  out.done.push_back(k);
  if (each) each(k, line);
  return true;
}

// What a crash may leave of a file whose first line was being written; anything else is not ours.
bool is_torn_beginning(std::string_view text) {
  if (text.find_first_not_of('\0') == std::string_view::npos) return true;
  const std::size_t common = std::min(text.size(), kSum.size());
  return text.find('\n') == std::string_view::npos &&
         text.substr(0, common) == kSum.substr(0, common);
}

std::string number_list(const std::vector<std::size_t>& numbers) {
  constexpr std::size_t kShown = 5;
  std::string out;
  for (std::size_t i = 0; i < std::min(kShown, numbers.size()); ++i)
    out += fmt::format("{}{}", i ? ", " : "", numbers[i]);
  return out + (numbers.size() > kShown ? ", ..." : "");
}

}  // namespace

ShardScan scan_shard(const std::string& path,
                     const std::function<void(std::uint64_t, std::string_view)>& each) {
  const std::string text = read_file(path);
  ShardScan out;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find('\n', begin);
    if (end == std::string::npos) break;
    ++number;
    if (take_line(std::string_view(text).substr(begin, end - begin), number, out, each))
      out.good_bytes = end + 1;
    else
      out.broken.push_back(number);
    begin = end + 1;
  }
  out.torn = out.good_bytes < text.size();
  // Bad lines at the very end are a torn tail, not broken ones.
  const auto good_lines = static_cast<std::size_t>(
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(out.good_bytes), '\n'));
  std::erase_if(out.broken, [&](std::size_t line) { return line > good_lines; });
  if (out.good_bytes == 0 && !is_torn_beginning(text)) out.broken.push_back(1);
  return out;
}

void check_identity(const std::string& of_file, const std::string& path,
                    const std::string& identity) {
  if (of_file != identity)
    throw Error(fmt::format(
        "the study is not the one of '{}': {}. Put it back as it was, or begin a new folder", path,
        differences(of_file, identity)));
}

void check_shard(const ShardScan& scan, const std::string& path, const std::string& identity) {
  if (!scan.broken.empty())
    throw Error(fmt::format("'{}' is broken in line {}: `study run --repair` leaves it out and "
                            "plays those matches again",
                            path, number_list(scan.broken)),
                Error::Kind::failed);
  if (!scan.identity.empty()) check_identity(scan.identity, path, identity);
}

std::vector<std::string> shard_files(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(fs::path(folder) / "shards", none))
    if (entry.path().extension() == ".jsonl") out.push_back(entry.path().string());
  std::ranges::sort(out);
  return out;
}

void repair_shard(const std::string& path) {
  std::string kept;
  const std::string text = read_file(path);
  std::size_t number = 0;
  ShardScan unused;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find('\n', begin);
    if (end == std::string::npos) break;
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    if (take_line(line, ++number, unused, {})) kept += std::string(line) + '\n';
    begin = end + 1;
  }
  if (unused.identity.empty()) kept.clear();  // no first line: nothing says which study it was
  std::string aside = path + ".broken";
  for (int i = 2; fs::exists(aside); ++i) aside = path + ".broken" + std::to_string(i);
  write_file(aside, text);
  write_file(path, kept);
}

std::unique_ptr<GrowingFile> hold_shard(const std::string& path) {
  return std::make_unique<GrowingFile>(path, kBusy);
}

ShardWriter::ShardWriter(const std::string& folder, const PartName& name, std::string identity,
                         BrokenLines broken, std::string computed)
    : identity_(std::move(identity)), computed_(std::move(computed)) {
  const fs::path shards = fs::path(folder) / "shards";
  make_folder(shards.string());
  const std::string path = (shards / (name.file_stem() + ".jsonl")).string();
  file_ = hold_shard(path);
  found_ = scan_shard(path);
  if (broken == BrokenLines::left_out && !found_.broken.empty()) {
    repair_shard(path);  // a new file under the old name: hold that one too
    file_ = hold_shard(path);
    found_ = scan_shard(path);
  }
  check_shard(found_, path, identity_);
  begun_ = !found_.identity.empty();
  if (found_.torn) file_->cut(found_.good_bytes);
  sync_folder(shards.string());
}

void ShardWriter::append(std::string_view members) {
  const std::size_t before = file_->size();
  try {
    if (!begun_)
      file_->append(line_of(std::string(kStudy) + identity_ +
                            ",\"computed\":" + Json(computed_).dump() + "}"));
    file_->append(line_of(members));
    file_->sync();
    begun_ = true;
  } catch (const Error& error) {
    if (file_->size() > before) file_->cut(before);
    throw Error(std::string(error.what()) +
                    "; all matches before are safe, the same command goes on from there",
                Error::Kind::failed);
  }
}

}  // namespace polymax::arena
