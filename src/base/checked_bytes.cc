#include "base/checked_bytes.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace berth {
namespace {

constexpr std::size_t kChecksumBytes = 8;

// FNV-1a.
std::string ChecksumOf(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  const auto sum = std::bit_cast<std::array<char, kChecksumBytes>>(hash);
  return {sum.begin(), sum.end()};
}

}  // namespace

std::string WithChecksum(std::string content) {
  const std::string checksum = ChecksumOf(content);
  return std::move(content) + checksum;
}

std::optional<std::string_view> WithoutChecksum(std::string_view bytes) {
  if (bytes.size() < kChecksumBytes) return std::nullopt;
  const std::string_view content = bytes.substr(0, bytes.size() - kChecksumBytes);
  if (bytes.substr(content.size()) != ChecksumOf(content)) return std::nullopt;
  return content;
}

}  // namespace berth
