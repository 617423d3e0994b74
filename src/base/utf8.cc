#include "base/utf8.h"

#include <cstdint>

namespace berth {
namespace {

struct Lead {
  std::size_t size;   // Of the whole sequence; 0 if no sequence starts so.
  std::uint8_t low;   // Bounds on the second byte: they exclude overlong forms,
  std::uint8_t high;  // surrogates and what lies beyond the last character.
};

Lead LeadOf(std::uint8_t byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte < 0xc2) return {0, 0, 0};
  if (byte < 0xe0) return {2, 0x80, 0xbf};
  if (byte == 0xe0) return {3, 0xa0, 0xbf};
  if (byte == 0xed) return {3, 0x80, 0x9f};
  if (byte < 0xf0) return {3, 0x80, 0xbf};
  if (byte == 0xf0) return {4, 0x90, 0xbf};
  if (byte < 0xf4) return {4, 0x80, 0xbf};
  if (byte == 0xf4) return {4, 0x80, 0x8f};
  return {0, 0, 0};
}

}  // namespace

std::optional<std::size_t> FindMalformedUtf8(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  for (std::size_t i = 0; i < text.size();) {
    const Lead lead = LeadOf(byte(i));
    if (lead.size == 0 || lead.size > text.size() - i) return i;
    for (std::size_t k = 1; k < lead.size; ++k) {
      const std::uint8_t low = k == 1 ? lead.low : 0x80;
      const std::uint8_t high = k == 1 ? lead.high : 0xbf;
      if (byte(i + k) < low || byte(i + k) > high) return i;
    }
    i += lead.size;
  }
  return std::nullopt;
}

bool IsControl(char c) {
  const auto byte = static_cast<std::uint8_t>(c);
  return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7f;
}

}  // namespace berth
