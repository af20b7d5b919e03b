// TensorBoard files: what is written is read back here by the format's own definition (length,
// masked CRC-32C, protocol buffer), from bytes alone.
#include "learn/tensorboard.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <stdexcept>

#include "core/file.hpp"
#include "learn/journal.hpp"
#include "tests/temporary_folder.hpp"

namespace polymax::learn::tensorboard_test {
namespace {

std::uint64_t little(std::string_view bytes, std::size_t at, int count) {
  std::uint64_t out = 0;
  for (int k = count; k-- > 0;)
    out = out << 8 | static_cast<unsigned char>(bytes.at(at + static_cast<std::size_t>(k)));
  return out;
}

// CRC-32C one bit at a time, and the mask of the format.
std::uint32_t masked_crc(std::string_view bytes) {
  std::uint32_t crc = 0xffffffff;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? (crc >> 1) ^ 0x82f63b78u : crc >> 1;
  }
  return std::rotr(~crc, 15) + 0xa282ead8u;
}

// The data of every record; throws when a length or a checksum is wrong.
std::vector<std::string> records(std::string_view file) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < file.size();) {
    const std::uint64_t length = little(file, at, 8);
    if (little(file, at + 8, 4) != masked_crc(file.substr(at, 8)))
      throw std::runtime_error("checksum of the length");
    const std::string data(file.substr(at + 12, length));
    if (data.size() != length) throw std::runtime_error("cut off");
    if (little(file, at + 12 + length, 4) != masked_crc(data))
      throw std::runtime_error("checksum of the data");
    out.push_back(data);
    at += 16 + length;
  }
  return out;
}

struct Field {
  std::uint64_t number = 0;  // of varint, fixed64 and fixed32
  std::string bytes;
};

std::uint64_t varint(std::string_view from, std::size_t& at) {
  std::uint64_t out = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(from.at(at++));
    out |= static_cast<std::uint64_t>(byte & 127) << shift;
    if (byte < 128) return out;
  }
}

std::multimap<std::uint64_t, Field> fields(std::string_view message) {
  std::multimap<std::uint64_t, Field> out;
  for (std::size_t at = 0; at < message.size();) {
    const std::uint64_t key = varint(message, at);
    Field field;
    switch (key & 7) {
      case 0:
        field.number = varint(message, at);
        break;
      case 1:
        field.number = little(message, at, 8), at += 8;
        break;
      case 5:
        field.number = little(message, at, 4), at += 4;
        break;
      case 2: {
        const std::uint64_t size = varint(message, at);
        field.bytes = message.substr(at, size);
        if (field.bytes.size() != size) throw std::runtime_error("a field is cut off");
        at += size;
        break;
      }
      default:
        throw std::runtime_error("unknown kind of field");
    }
    out.emplace(key >> 3, field);
  }
  return out;
}

struct Event {
  double wall = 0;
  std::uint64_t step = 0;
  std::string version;
  std::map<std::string, float> values;
};

Event event_of(const std::string& record) {
  Event out;
  for (const auto& [number, field] : fields(record)) {
    if (number == 1) out.wall = std::bit_cast<double>(field.number);
    if (number == 2) out.step = field.number;
    if (number == 3) out.version = field.bytes;
    if (number != 5) continue;
    for (const auto& [kind, value] : fields(field.bytes)) {
      EXPECT_EQ(kind, 1u);
      const auto parts = fields(value.bytes);
      out.values[parts.find(1)->second.bytes] =
          std::bit_cast<float>(static_cast<std::uint32_t>(parts.find(2)->second.number));
    }
  }
  return out;
}

TEST(TensorBoard, ChecksumsAreCrc32c) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(crc32c(""), 0u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);  // RFC 3720, B.4
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43u);
  // the vector of the mask: 0xe3069283 turned right by 15 bits, plus the constant
  EXPECT_EQ(masked_crc("123456789"), std::rotr(0xe3069283u, 15) + 0xa282ead8u);
}

TEST(TensorBoard, AFileBeginsWithItsVersion) {
  const auto all = records(tensorboard_header(1234.5));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(event_of(all[0]).version, "brain.Event:2");
  EXPECT_EQ(event_of(all[0]).wall, 1234.5);
}

TEST(TensorBoard, ValuesComeBack) {
  const std::string file =
      tensorboard_header(1) + tensorboard_event(2.25, 300, {{"loss", 0.125}, {"a/b", -3e7}}) +
      tensorboard_event(3, std::int64_t{1} << 40, {{std::string(200, 'x'), 1.0 / 3}});
  const auto all = records(file);
  ASSERT_EQ(all.size(), 3u);
  const Event first = event_of(all[1]), second = event_of(all[2]);
  EXPECT_EQ(first.wall, 2.25);
  EXPECT_EQ(first.step, 300u);
  EXPECT_EQ(first.values, (std::map<std::string, float>{{"loss", 0.125f}, {"a/b", -3e7f}}));
  EXPECT_EQ(second.step, std::uint64_t{1} << 40);
  EXPECT_EQ(second.values,
            (std::map<std::string, float>{{std::string(200, 'x'), static_cast<float>(1.0 / 3)}}));
}

TEST(TensorBoard, ADamagedByteIsSeen) {
  const std::string file = tensorboard_event(2.25, 300, {{"loss", 0.125}});
  for (std::size_t k = 8; k < file.size();
       ++k) {  // a wrong length may ask for bytes that are not there
    std::string bad = file;
    bad[k] = static_cast<char>(bad[k] ^ 4);
    EXPECT_THROW(records(bad), std::runtime_error) << k;
  }
}

TEST(TensorBoard, AJournalWritesBothFilesAlike) {
  const TemporaryFolder folder;
  std::optional<Journal> journal(std::in_place, folder / "", Counters{});
  Entry entry;
  entry.players = 3;
  entry.loss.value = 0.5;
  entry.steps_per_second = 2;
  entry.rate = 1e-4;
  entry.counters.matches = 12;
  entry.window.matches = 4;
  entry.window.moves = 40;
  entry.window.solved = 10;
  entry.window.draws = 1;
  entry.window.squared[9] = 18;
  entry.window.compared[9] = 2;
  entry.device_share = 0.75;
  entry.window.wins = {1, 2.5, 0};
  journal->write(entry);
  const auto all = records(read_file(folder / "events.out.tfevents.polymax"));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(event_of(all[0]).version, "brain.Event:2");
  const Event event = event_of(all[1]);
  EXPECT_EQ(event.step, 12u);
  EXPECT_EQ(event.values, (std::map<std::string, float>{{"loss", 0.5f},
                                                        {"learning_rate", 1e-4f},
                                                        {"length", 10},
                                                        {"solved", 0.25f},
                                                        {"draws", 0.25f},
                                                        {"calibration/tenth10", 3},
                                                        {"positions_per_second", 0},
                                                        {"steps_per_second", 2},
                                                        {"device_share", 0.75f},
                                                        {"wins/seat1", 0.25f},
                                                        {"wins/seat2", 0.625f},
                                                        {"wins/seat3", 0}}));
  EXPECT_NE(read_file(folder / "log.jsonl").find("\"length\":10.0"), std::string::npos);
  EXPECT_NE(read_file(folder / "log.jsonl").find("\"loss\":0.5"), std::string::npos);
  EXPECT_NE(read_file(folder / "log.jsonl")
                .find("\"calibration\":[null,null,null,null,null,null,null,null,null,3.0]"),
            std::string::npos)
      << "tenths without a value are not solved ones";

  EXPECT_EQ(read_file(folder / "log.jsonl").find("recall"), std::string::npos) << "no second head";
  entry.knows_moves = true;
  entry.loss.prior = 0.25;
  entry.window.recall = {8, 2, 4, 6, 80};
  journal->write(entry);
  EXPECT_NE(read_file(folder / "log.jsonl").find("\"prior_loss\":0.25,\"recall\":{\"positions\":8"),
            std::string::npos);
  const Event second = event_of(records(read_file(folder / "events.out.tfevents.polymax")).back());
  EXPECT_EQ(second.values.at("prior_loss"), 0.25f);
  EXPECT_EQ(second.values.at("recall/first8"), 0.75f);
  entry.loss.prior = 0;
  entry.knows_moves = false;
  entry.window.recall = {};

  entry.steps_per_second = 0;  // no step, no loss
  journal->write(entry);
  const auto later = records(read_file(folder / "events.out.tfevents.polymax"));
  ASSERT_EQ(later.size(), 4u);
  EXPECT_FALSE(event_of(later[3]).values.contains("loss"));

  journal.reset();  // one at a time

  // killed within a record, the next start goes on behind the last whole one
  const std::string path = folder / "events.out.tfevents.polymax", file = read_file(path);
  for (const std::size_t lost : {std::size_t{1}, std::size_t{40}, file.size() - 3}) {
    write_file(path, file.substr(0, file.size() - lost));
    Journal((folder / ""), entry.counters).write(entry);
    const auto repaired = records(read_file(path));
    ASSERT_GE(repaired.size(), 2u);
    EXPECT_EQ(event_of(repaired[0]).version, "brain.Event:2");
    EXPECT_EQ(event_of(repaired.back()).step, 12u);
  }
  EXPECT_NE(read_file(folder / "log.jsonl").find("\"loss\":null"), std::string::npos);
}

TEST(Journal, DropsWhatTheCheckpointDoesNotHave) {
  const TemporaryFolder folder;
  const auto lines = [&] { return std::ranges::count(read_file(folder / "log.jsonl"), '\n'); };
  Entry entry;
  {
    Journal journal((folder / ""), {});
    for (const std::uint64_t steps : {5u, 9u, 14u}) {  // a warm-up has no matches
      entry.counters.steps = steps;
      journal.write(entry);
    }
    entry.counters.matches = 3;
    journal.write(entry);
  }
  Counters reached;
  reached.steps = 14;
  Journal((folder / ""), reached);
  EXPECT_EQ(lines(), 3) << "none of the match";
  reached.steps = 9;
  Journal((folder / ""), reached);
  EXPECT_EQ(lines(), 2) << "none of the later steps";
}

}  // namespace
}  // namespace polymax::learn::tensorboard_test
