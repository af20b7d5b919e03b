// Networks in .safetensors files, which Python opens too: 8 bytes of header length, a JSON header,
// raw little-endian tensors. The header's __metadata__ says everything else about the net; a hash
// of the tensors and one of the other metadata are part of it. Loading checks everything and gives
// a whole net or an Error, never half a net.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "nn/net.hpp"
#include "nn/net_purpose.hpp"

namespace polymax {

enum class NetPrecision { fp32, bf16 };
inline constexpr std::array<std::string_view, 2> kPrecisionNames{"fp32", "bf16"};

std::string net_to_bytes(const Net& net, NetPrecision precision);

// The bytes of a file; one that is too large for a network is refused before it is read.
std::string read_net_bytes(const std::string& path);

// `where` names the source in errors.
Net net_from_bytes(std::span<const char> bytes, const std::string& where);

// Written to a new name, synced, renamed.
void save_net(const Net& net, const std::string& path, NetPrecision precision);
Net load_net(const std::string& path);

// What a file says about its network, without reading the weights.
struct NetHeader {
  Net net;  // without its tensors
  std::string content_hash;
};
NetHeader load_net_header(const std::string& path);

// Throws Error when the file has other tensors than it had: those of this hash.
Net load_net(const std::string& path, const std::string& hash);

// The hash of its tensors that a file names.
std::string content_hash(std::span<const char> bytes, const std::string& where);

// Which precision a file holds.
NetPrecision precision_of(std::span<const char> bytes, const std::string& where);

// Throws Error when the net was made for neither of the games, for other rules, other planes, or
// for turned boards that the game does not have.
void check_net_for(const Net& net, const NetPurpose& wanted, const std::string& where);

}  // namespace polymax
