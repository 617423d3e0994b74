// Service graphs drawn by preferential attachment: services come one after the other, and each
// calls one that was there, chosen with a probability proportional to d^alpha + a, where d is the
// number of services that call it already (thesis on predictive autoscaling, section 8.6).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "apptopo/service_graph.h"
#include "berth/rng.h"
#include "berth/status.h"

namespace berth {

struct AttachmentSet {
  std::string_view letter;
  std::string_view name;
  double power = 0;   // alpha
  double appeal = 0;  // a, of a service that nobody calls.
};

// Table 9.1. There set C has power 0.5, outside of both intervals that the thesis found; Figure
// 10.13, which was drawn with it, has 0.05, the middle of one.
inline constexpr std::array<AttachmentSet, 4> kAttachmentSets = {{
    {"A", "tiered_with_single_center_a", 0.05, 0.01},
    {"B", "single_center_b", 0.9, 0.01},
    {"C", "tree_with_multiple_centers_c", 0.05, 3.25},
    {"D", "pipeline_with_multiple_centers_d", 0.9, 3.25},
}};

// By letter or name.
Result<AttachmentSet> FindAttachmentSet(std::string_view letter_or_name);

enum class CallDirection : std::uint8_t {
  kToOlder,    // As drawn: many services use a few common ones.
  kToYounger,  // The other way round: one entry, from which all others are reached.
};

// 1 to kTopologyServicesMax services, "service-1" the first.
ServiceGraph AttachServices(const AttachmentSet& set, std::size_t services, CallDirection direction,
                            Rng rng);

}  // namespace berth
