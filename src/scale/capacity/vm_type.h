// What a provider rents out, and what it asks for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "berth/resources.h"
#include "berth/time.h"

namespace berth {

inline constexpr std::size_t kVmTypesMax = 200;
inline constexpr std::int64_t kMicros = 1'000'000;  // Of a unit of currency.

struct VmType {
  std::string provider{};
  std::string name{};
  Resources capacity{};
  std::int64_t hour_micros = 0;  // The price of an hour, in millionths.
  Duration boot{};               // From ordering one to the first instance on it.
  std::int64_t priority = 0;     // For those who choose by it: the highest first.

  // For the Cluster Autoscaler: its nodes are never removed; and so many of them, the oldest, fail
  // so long after the start.
  bool keep = false;
  std::uint32_t unready_nodes = 0;
  Duration unready_after{};

  std::string FullName() const { return provider + "/" + name; }
};

}  // namespace berth
