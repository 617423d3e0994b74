// How fleet files name machines, rows, racks and update domains.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "berth/records.h"

namespace berth {

inline constexpr std::string_view kDefaultDatacenter = "dc1";
inline constexpr std::string_view kDefaultRow = "r1";
inline constexpr std::string_view kDefaultUpdateDomain = "ud1";

// How many digits the numbers of a cluster's machines have.
std::size_t MachineDigits(std::uint32_t machines);
std::string MachineName(std::string_view cluster, std::uint32_t number, std::size_t digits);

struct NumberedName {
  std::string_view cluster;
  std::uint32_t number = 0;
  std::size_t digits = 0;
};
// "c1-0007" is the 7th of c1, in four digits.
std::optional<NumberedName> SplitMachineName(std::string_view name);

// The labels of both, the second's where they differ.
Labels Overlay(const Labels& below, const Labels& above);

}  // namespace berth
