// Numbers as bytes, for states that are saved: little-endian, one after the other.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

static_assert(std::endian::native == std::endian::little);

template <typename T>
std::string Packed(std::span<const T> values) {
  std::string bytes(values.size_bytes(), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// A field of a saved state.
inline std::uint64_t BitsOf(double value) { return std::bit_cast<std::uint64_t>(value); }
inline double FromBits(std::uint64_t bits) { return std::bit_cast<double>(bits); }

// What is left over after the last whole number is left out.
template <typename T>
std::vector<T> Unpacked(std::string_view bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

// Into as many as there are; false if the bytes are of another number, or one is not finite.
inline bool UnpackFinite(std::string_view bytes, std::span<double> values) {
  if (bytes.size() != values.size_bytes()) return false;
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

}  // namespace berth
