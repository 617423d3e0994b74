// Resources: a small fixed vector of integers. No floating point in capacity arithmetic.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "berth/status.h"

namespace berth {

enum class Resource : std::uint8_t { kCpu, kMemory, kDisk, kNetwork, kGpu };
inline constexpr std::size_t kResourceCount = 5;
inline constexpr std::array<Resource, kResourceCount> kAllResources = {
    Resource::kCpu, Resource::kMemory, Resource::kDisk, Resource::kNetwork, Resource::kGpu};

// cpu and gpu in thousandths, memory and disk in bytes, network in Mbit/s.
std::string_view ResourceName(Resource resource);
// "4", "16Gi", "10Gbit": the amount as a person writes it.
std::string FormatAmount(Resource resource, std::int64_t amount);
// The inverse; also takes "250m", "2.5", "512MiB", "1e3"-free decimals. Exact or refused: an amount
// that is not a whole number of the resource's unit, negative or over kAmountMax is an error.
Result<std::int64_t> ParseAmount(Resource resource, std::string_view text);

// Large enough for a petabyte, small enough that a machine's sum over a thousand instances fits.
inline constexpr std::int64_t kAmountMax = std::int64_t{1} << 52;

class Resources {
 public:
  constexpr Resources() = default;

  constexpr std::int64_t operator[](Resource r) const {
    return amounts_[static_cast<std::size_t>(r)];
  }
  constexpr std::int64_t& operator[](Resource r) { return amounts_[static_cast<std::size_t>(r)]; }

  constexpr Resources& operator+=(const Resources& other) {
    for (std::size_t i = 0; i < kResourceCount; ++i) amounts_[i] += other.amounts_[i];
    return *this;
  }
  constexpr Resources& operator-=(const Resources& other) {
    for (std::size_t i = 0; i < kResourceCount; ++i) amounts_[i] -= other.amounts_[i];
    return *this;
  }
  friend constexpr Resources operator+(Resources a, const Resources& b) { return a += b; }
  friend constexpr Resources operator-(Resources a, const Resources& b) { return a -= b; }
  friend constexpr bool operator==(const Resources&, const Resources&) = default;

  constexpr bool IsZero() const { return *this == Resources(); }
  // Every amount at most the other's. A partial order: neither of two may fit in the other.
  constexpr bool FitsIn(const Resources& room) const {
    for (std::size_t i = 0; i < kResourceCount; ++i) {
      if (amounts_[i] > room.amounts_[i]) return false;
    }
    return true;
  }

 private:
  std::array<std::int64_t, kResourceCount> amounts_{};
};

// "4 cpu, 16Gi memory": the amounts that are not zero.
std::string FormatResources(const Resources& resources);

// Sums over many machines or instances: wide enough that no fleet can overflow them.
class ResourceTotals {
 public:
  __extension__ using Wide = __int128;

  constexpr Wide operator[](Resource r) const { return amounts_[static_cast<std::size_t>(r)]; }
  constexpr ResourceTotals& operator+=(const Resources& other) {
    for (const Resource r : kAllResources) amounts_[static_cast<std::size_t>(r)] += other[r];
    return *this;
  }
  constexpr ResourceTotals& operator-=(const Resources& other) {
    for (const Resource r : kAllResources) amounts_[static_cast<std::size_t>(r)] -= other[r];
    return *this;
  }
  constexpr ResourceTotals& operator+=(const ResourceTotals& other) {
    for (std::size_t i = 0; i < kResourceCount; ++i) amounts_[i] += other.amounts_[i];
    return *this;
  }
  friend constexpr bool operator==(const ResourceTotals&, const ResourceTotals&) = default;

 private:
  std::array<Wide, kResourceCount> amounts_{};
};

}  // namespace berth
