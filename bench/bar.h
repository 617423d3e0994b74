// BAR lines: a figure that must be reached, and whether this run reached it.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string_view>

namespace berth {

inline void PrintBar(std::string_view name, double value, std::string_view op, double target) {
  const bool reached = op == ">=" ? value >= target : value <= target;
  fmt::print("BAR {} {:.3f} {} {:g} {}\n", name, value, op, target, reached ? "PASS" : "SHORT");
  std::fflush(stdout);  // Whoever stops a long suite has what it reached so far.
}

}  // namespace berth
