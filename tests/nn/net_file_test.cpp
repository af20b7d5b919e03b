// Network files: round trips, and every kind of damage ends in one clear error.
#include "nn/net_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>

#include "core/error.hpp"
#include "core/file.hpp"
#include "core/rng.hpp"
#include "nn/bf16.hpp"
#include "tests/message_of.hpp"
#include "tests/nn/reference.hpp"
#include "tests/temporary_folder.hpp"

namespace polymax::net_file_test {
namespace {

Net sample_net() {
  Net net = random_net({{5, 4, 3}, 3, 6, 1, 7}, 11);
  net.game = "hex3(side=2,points=gain)";
  net.rules_version = 2;
  net.lo = -12.5;
  net.hi = 40;
  net.training.matches = 100;
  net.training.seed = 3;
  return net;
}

std::string error_of(const std::string& bytes) {
  return message_of([&] { net_from_bytes(bytes, "x"); });
}

TEST(net_file, RoundTripsInFp32) {
  const Net net = sample_net();
  EXPECT_TRUE(net_from_bytes(net_to_bytes(net, NetPrecision::fp32), "x") == net);
}

TEST(net_file, WhatItSaysOfItsTrainingComesBack) {
  Net net = sample_net();
  net.training = {100, 2000, 30000, 40, 0.166706, 0, "fish 0123", "abc", {{"unverified", "x"}}};
  EXPECT_TRUE(net_from_bytes(net_to_bytes(net, NetPrecision::bf16), "x").training == net.training);
  const std::map<std::string, std::string> texts{
      {"commit", "abc"},  {"evaluations", "30000"}, {"hours", "0.166706"},
      {"matches", "100"}, {"parent", "fish 0123"},  {"positions", "2000"},
      {"seed", "0"},      {"steps", "40"},          {"unverified", "x"}};
  EXPECT_EQ(net.training.texts(), texts);
  EXPECT_TRUE(NetTraining::of(texts) == net.training);
  EXPECT_TRUE(NetTraining().texts().empty());
  const std::map<std::string, std::string> strange{
      {"hours", "long"}, {"matches", "-3"}, {"seed", "x"}, {"steps", "4 "}};
  const NetTraining kept = NetTraining::of(strange);
  EXPECT_EQ(kept.texts(), strange) << "what is no number is kept as it was";
  EXPECT_EQ(kept.matches, 0u);
}

TEST(net_file, ASecondHeadTravelsAndCanBeLeftOut) {
  Net net = random_net({{5, 4, 3}, 3, 6, 1, 7, 2}, 11);
  EXPECT_TRUE(net_from_bytes(net_to_bytes(net, NetPrecision::fp32), "x") == net);
  const Net plain = values_only(net);
  EXPECT_EQ(plain.tensors.size() + 4, net.tensors.size());
  EXPECT_EQ(plain.tensor("dense2.weight"), net.tensor("dense2.weight"));
  const std::string bytes = net_to_bytes(plain, NetPrecision::fp32);
  EXPECT_EQ(bytes.find("move_planes"), std::string::npos) << "as files were before";
  EXPECT_TRUE(net_from_bytes(bytes, "x") == plain);
  NetPurpose wanted{net.game, net.rules_version, net.shape.input, 3};
  check_net_for(plain, wanted, "x");
  EXPECT_THROW(check_net_for(net, wanted, "x"), Error) << "the game has no move planes";
  wanted.move_planes = 2;
  check_net_for(net, wanted, "x");
  check_net_for(plain, wanted, "x");
  net.shape.move_planes = 70000 / 12;
  EXPECT_THROW(check_shape(net.shape), Error);
}

TEST(net_file, Bf16RoundsOnce) {
  const Net net = sample_net();
  const std::string bytes = net_to_bytes(net, NetPrecision::bf16);
  const Net once = net_from_bytes(bytes, "x");
  EXPECT_EQ(precision_of(bytes, "x"), NetPrecision::bf16);
  EXPECT_EQ(net_to_bytes(once, NetPrecision::bf16), bytes);
  for (std::size_t t = 0; t < net.tensors.size(); ++t)
    for (std::size_t i = 0; i < net.tensors[t].values.size(); ++i)
      EXPECT_NEAR(once.tensors[t].values[i], net.tensors[t].values[i],
                  std::abs(net.tensors[t].values[i]) / 256);
}

TEST(net_file, Bf16RoundsToNearestEven) {
  EXPECT_EQ(from_bf16(to_bf16(1.0f)), 1.0f);
  EXPECT_EQ(from_bf16(to_bf16(1.0f + 1.0f / 256)), 1.0f);
  EXPECT_EQ(from_bf16(to_bf16(1.0f + 3.0f / 256)), 1.0f + 4.0f / 256);
  EXPECT_TRUE(std::isnan(from_bf16(to_bf16(NAN))));
}

TEST(net_file, TruncationAnywhereIsNoticed) {
  const std::string bytes = net_to_bytes(sample_net(), NetPrecision::bf16);
  for (std::size_t n = 0; n < bytes.size(); n += n < 64 ? 1 : 37)
    EXPECT_NE(error_of(bytes.substr(0, n)), "(no error)") << n;
  EXPECT_NE(error_of(bytes + "x").find("1 bytes follow the last tensor"), std::string::npos);
}

TEST(net_file, DamageAnywhereIsNoticedOrHarmless) {
  const Net net = sample_net();
  const std::string bytes = net_to_bytes(net, NetPrecision::fp32);
  Rng rng(1);
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = bytes;
    const auto at = rng.below(static_cast<std::uint32_t>(i % 2 == 0 ? bytes.size() : 2000));
    damaged[at] = static_cast<char>(rng.next());
    try {
      EXPECT_TRUE(net_from_bytes(damaged, "x") == net)
          << "byte " << at;  // harmless: a space, the name of a hash
    } catch (const Error&) {
    }
  }
}

TEST(net_file, ReadsFilesWithoutAHashOfTheMetadata) {
  const Net net = sample_net();
  std::string bytes = net_to_bytes(net, NetPrecision::fp32);
  const std::string key = "\"metadata_hash\":";
  const std::size_t at = bytes.find(key);
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, key.size() + 18 + 1,
                std::string(key.size() + 18 + 1, ' '));  // its value and the comma behind it
  EXPECT_TRUE(net_from_bytes(bytes, "x") == net);
}

TEST(net_file, NamesTheHashOfItsTensors) {
  const Net net = sample_net();
  Net other = net;
  other.training.seed = 4;
  const auto hash = [](const Net& of) {
    return content_hash(net_to_bytes(of, NetPrecision::fp32), "x");
  };
  EXPECT_EQ(hash(net), hash(other));
  other.tensors[0].values[0] += 1;
  EXPECT_NE(hash(net), hash(other));
}

TEST(net_file, NamesWhatIsWrong) {
  Net net = sample_net();
  net.tensors[0].values[3] = std::numeric_limits<float>::infinity();
  EXPECT_NE(error_of(net_to_bytes(net, NetPrecision::fp32))
                .find("tensor 'stem.weight' holds a number that is not finite"),
            std::string::npos);
  net = sample_net();
  net.tensors.pop_back();
  EXPECT_NE(error_of(net_to_bytes(net, NetPrecision::fp32)).find("other tensors"),
            std::string::npos);
  net = sample_net();
  std::swap(net.tensors[0].dims[2], net.tensors[0].dims[0]);
  EXPECT_NE(error_of(net_to_bytes(net, NetPrecision::fp32)).find("tensor 'stem.weight' has shape"),
            std::string::npos);
  net = sample_net();
  net.scale = 0;
  EXPECT_NE(error_of(net_to_bytes(net, NetPrecision::fp32)).find("scale"), std::string::npos);
  EXPECT_NE(error_of(std::string(100, 'x')).find("header length"), std::string::npos);
}

std::string with_header(const std::string& header) {
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + header;
}

// Within the largest header that is read at all: no stack runs over, and the time does not grow
// with the square.
TEST(net_file, HostileHeadersAreRefused) {
  const std::string deep(400'000, '['), shut(400'000, ']');
  EXPECT_NE(error_of(with_header("{\"__metadata__\":{},\"a\":{\"dtype\":" + deep + shut + "}}"))
                .find("nested"),
            std::string::npos);
  EXPECT_NE(error_of(with_header(deep)).find("nested"), std::string::npos);
  std::string wide = "{\"__metadata__\":{}";
  for (int i = 0; i < 80'000; ++i) wide += ",\"" + std::to_string(i) + "\":0";
  EXPECT_NE(error_of(with_header(wide + "}")).find("lacks 'format'"), std::string::npos);
}

TEST(net_file, MessagesAreOneShortLine) {
  for (const auto& quoted :
       {std::string(3000, 'x'), std::string("a\\nb"), std::string(200, 'x') + "\xc3\xa9"}) {
    const std::string error =
        error_of(with_header("{\"__metadata__\":{\"format\":\"" + quoted + "\"}}"));
    EXPECT_NE(error.find("its format is '"), std::string::npos);
    EXPECT_EQ(error.find('\n'), std::string::npos);
    EXPECT_LT(error.size(), 500u);
  }
}

TEST(net_file, TellsWhetherItWantsTurnedBoards) {
  Net net = sample_net();
  const std::string off = net_to_bytes(net, NetPrecision::fp32);
  EXPECT_EQ(off.find("turned"), std::string::npos) << "files of others stay as they were";
  net.turned = true;
  std::string bytes = net_to_bytes(net, NetPrecision::bf16);
  EXPECT_TRUE(net_from_bytes(bytes, "x").turned);
  EXPECT_TRUE(net_from_bytes(net_to_bytes(net, NetPrecision::fp32), "x") == net);
  const NetPurpose wanted{net.game, 2, {5, 4, 3}, 3, true};
  check_net_for(net, wanted, "x");
  NetPurpose without = wanted;
  without.turns = false;
  EXPECT_THROW(check_net_for(net, without, "x"), Error);
  net.turned = false;
  check_net_for(net, without, "x");
  bytes.replace(bytes.find("\"on\""), 4, "\"ON\"");
  EXPECT_NE(error_of(bytes).find("its metadata do not have the hash"), std::string::npos);
  bytes.replace(bytes.find("metadata_hash"), 13, "metadata_hush");
  EXPECT_NE(error_of(bytes).find("metadata 'turned' is 'ON', not on or off"), std::string::npos);
}

TEST(net_file, BelongsToOneGame) {
  const Net net = sample_net();
  const auto message = [&](const std::string& game, int rules, PlaneShape planes, int players) {
    return message_of([&] { check_net_for(net, {game, rules, planes, players, false}, "x"); });
  };
  EXPECT_EQ(message(net.game, 2, {5, 4, 3}, 3), "no error");
  EXPECT_NE(
      message("hex3", 2, {5, 4, 3}, 3).find("made for 'hex3(side=2,points=gain)', not for 'hex3'"),
      std::string::npos);
  EXPECT_NE(message(net.game, 1, {5, 4, 3}, 3).find("version 2 of the rules"), std::string::npos);
  EXPECT_NE(message(net.game, 2, {6, 4, 3}, 3).find("planes"), std::string::npos);
}

TEST(net_purpose, TellsHowNearTwoGamesAre) {
  NetPurpose wanted{"g(a=1,b=2,points=gain)", 1, {5, 4, 3}, 3};
  wanted.substitute = "g(a=1,b=2)";
  wanted.start_options = {"a"};
  wanted.variant_options = {"b"};
  const auto fit = [&](const char* game) { return match_of(game, wanted); };
  EXPECT_EQ(fit("g(a=1,b=2,points=gain)").fit, NetFit::same);
  EXPECT_EQ(fit("g(b=2,points=gain)").fit, NetFit::start);
  EXPECT_EQ(fit("g(a=7,b=2,points=gain)").fit, NetFit::start);
  EXPECT_EQ(fit("g(a=1,b=3,points=gain)").fit, NetFit::variant);
  EXPECT_FALSE(fit("g(points=gain)").by_substitute);
  EXPECT_EQ(fit("g(a=3,b=2)").fit, NetFit::start);
  EXPECT_TRUE(fit("g(a=3,b=2)").by_substitute);
  EXPECT_EQ(fit("g").fit, NetFit::variant);
  EXPECT_EQ(fit("g(c=1)").fit, NetFit::other);
  EXPECT_EQ(fit("h").fit, NetFit::other);
  EXPECT_EQ(fit("g(a=").fit, NetFit::other) << "files may say anything";
}

std::string header_error(const std::string& path) {
  return message_of([&] { load_net_header(path); });
}

TEST(net_file, TheHeaderAloneSaysWhatIsInIt) {
  const TemporaryFolder folder;
  const std::string path = folder / "x.safetensors";
  for (const auto precision : {NetPrecision::fp32, NetPrecision::bf16}) {
    Net net = sample_net();
    const std::string bytes = net_to_bytes(net, precision);
    save_net(net, path, precision);
    const NetHeader header = load_net_header(path);
    net.tensors.clear();
    EXPECT_EQ(header.net, net);
    EXPECT_EQ(header.content_hash, content_hash(bytes, "x"));
    EXPECT_EQ(load_net(path, header.content_hash), load_net(path));
    EXPECT_THROW(load_net(path, "0123456789abcdef"), Error) << "another network by now";
    for (const std::size_t size :
         {bytes.size() - 1, bytes.size() / 2, std::size_t{20}, std::size_t{3}}) {
      write_file(path, bytes.substr(0, size));
      EXPECT_NE(header_error(path).find("no usable network"), std::string::npos) << size;
    }
    write_file(path, bytes + "x");
    EXPECT_NE(header_error(path).find("1 bytes follow the last tensor"), std::string::npos);
  }
  std::remove(path.c_str());
  EXPECT_NE(header_error(path), "no error");
  EXPECT_NE(header_error(folder / ""), "no error") << "a folder";
}

}  // namespace
}  // namespace polymax::net_file_test
