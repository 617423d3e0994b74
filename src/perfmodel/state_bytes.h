// Numbers as bytes, for models that are saved: little-endian, one after the other.
#pragma once

#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

static_assert(std::endian::native == std::endian::little);

inline std::string DoubleBytes(std::span<const double> values) {
  std::string bytes(values.size_bytes(), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// Into as many as there are; false if the bytes are of another number, or one is not finite.
inline bool ReadDoubles(std::string_view bytes, std::span<double> values) {
  if (bytes.size() != values.size_bytes()) return false;
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  for (const double value : values) {
    if (!std::isfinite(value)) return false;
  }
  return true;
}

}  // namespace berth
