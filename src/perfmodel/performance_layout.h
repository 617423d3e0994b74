// Which columns of a table are whose. Of each application there are four, by the end of their
// names:
//
//   NAME.load            what it is asked for: requests in parallel
//   NAME.cpu_milli       its limit
//   NAME.response_ms     what it delivered: the 99th percentile of response times,
//   NAME.throughput_rps  and how many requests a second
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "perfmodel/data_table.h"

namespace berth {

inline constexpr std::string_view kLoadSuffix = ".load";
inline constexpr std::string_view kCpuSuffix = ".cpu_milli";
inline constexpr std::string_view kResponseSuffix = ".response_ms";
inline constexpr std::string_view kThroughputSuffix = ".throughput_rps";

// A service level indicator.
enum class Sli : std::uint8_t { kResponse, kThroughput };
inline constexpr std::array<Sli, 2> kSlis = {Sli::kResponse, Sli::kThroughput};
std::string_view SuffixOf(Sli sli);

struct ApplicationColumns {
  std::string name{};
  std::size_t load = 0;
  std::size_t cpu = 0;
  std::array<std::size_t, 2> sli{};  // By Sli.
};

struct PerformanceLayout {
  std::size_t columns = 0;
  std::vector<ApplicationColumns> applications{};  // In the order of their first column.

  std::vector<std::size_t> Inputs() const;   // Loads and limits, by application.
  std::vector<std::size_t> Targets() const;  // What was delivered, by application.
};

// The names of the four columns of an application.
std::array<std::string, 4> ColumnNamesOf(std::string_view application);

// Every column belongs to an application, and every application has all four.
Result<PerformanceLayout> LayoutOf(const std::vector<std::string>& names);

}  // namespace berth
