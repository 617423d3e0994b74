// The `rightsizing` section of a policy: whose limits are recommended, by whom, and whether they
// are set.
//
//   rightsizing:
//     mode: dry_run                       # off, dry_run, initial or auto; for who is not named
//     recommender: window
//     beside: [ensemble, vpa]             # say what they would, and nothing comes of it
//     headroom: 0.1                       # and cpu, memory: see sizing_settings.h
//     small: {machines: 10, mode: auto}   # who asks for less than so many of the largest machine
//     new: {since: 2026-11-01, mode: auto}
//     services:
//       - {name: web, mode: auto, recommender: ensemble, memory: {grow_only: true}}
//     rollout: ...                        # see rollout.h
//
// Without the section everybody is in dry_run.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/document.h"
#include "rightsize/program_names.h"
#include "rightsize/rollout.h"
#include "rightsize/sizing_settings.h"

namespace berth {

enum class SizingMode : std::uint8_t {
  kOff,      // Not even looked at.
  kDryRun,   // Limits are recommended,
  kInitial,  // and new services begin with them,
  kAuto,     // and they are changed while it runs.
};
std::string_view ToString(SizingMode mode);

struct RightsizingPolicy {
  static constexpr std::size_t kBesideMax = 8;
  static constexpr std::size_t kServicesMax = 10'000;

  SizingMode mode = SizingMode::kDryRun;
  std::vector<std::string> beside;
  struct Small {
    double machines = 0;
    SizingMode mode = SizingMode::kDryRun;
  };
  std::optional<Small> small;
  struct Fresh {
    Time since;
    SizingMode mode = SizingMode::kDryRun;
  };
  std::optional<Fresh> fresh;
  SizingSettings settings;
  std::map<std::string, SizingMode, std::less<>> modes;  // Of those who say one.
  std::optional<SizingRollout> rollout;

  // What is known of a service when its mode is asked for.
  struct Known {
    double machines = 0;  // How many of the largest it asks for, by the scarcer resource.
    Time created;         // The first of its instances that are there.
  };
  // Whether any service may begin with what is recommended.
  bool StartsAny() const;
  // Its own if it has one; else that of small services, of new ones, and of the rest.
  SizingMode ModeOf(std::string_view service, const Known& known) const;
};

// The programs that it may name are these.
Result<RightsizingPolicy> ParseRightsizingPolicy(const Node& policy,
                                                 const ProgramNames& programs = {});

}  // namespace berth
