// What a whole trace sums to.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "support/traces.h"

namespace berth::testing {

struct Tally {
  std::uint64_t services = 0;
  std::uint64_t instances = 0;
  std::uint64_t with_lifetime = 0;
  std::uint64_t at_start = 0;
  std::uint32_t largest = 0;  // Instances of one service.
  Time last;
};

// An error, or an arrival out of order, fails the test.
inline Tally TallyOf(Trace& trace) {
  Tally tally;
  for (;;) {
    const Result<std::optional<Arrival>> next = trace.Next();
    if (!next.ok()) ADD_FAILURE() << next.status().message();
    if (!next.ok() || !next.value()) return tally;
    const Arrival& arrival = *next.value();
    if (arrival.at < tally.last) ADD_FAILURE() << arrival.service.name << " is out of order";
    tally.last = arrival.at;
    ++tally.services;
    const std::uint32_t instances = arrival.service.InstanceCount();
    tally.instances += instances;
    tally.largest = std::max(tally.largest, instances);
    tally.with_lifetime += arrival.lifetime ? 1U : 0U;
    tally.at_start += arrival.at == Time() ? 1U : 0U;
  }
}

}  // namespace berth::testing
