// A recipe: how to draw an application, the nodes it runs on and its users. The format is in
// docs/app-generator.md.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "appsim/recipe/number_choice.h"
#include "apptopo/attachment.h"
#include "berth/status.h"
#include "berth/time.h"
#include "scale/capacity/vm_type.h"

namespace berth {

inline constexpr std::size_t kRecipeRegionsMax = 100;
inline constexpr std::size_t kRecipeServicesMax = 100;
inline constexpr std::size_t kRecipeInstancesMax = 100;  // Of a service, at first.
inline constexpr double kRecipeRateMax = 1e6;

// A bell curve whose mean and deviation are drawn.
struct SpreadChoice {
  NumberChoice mean = NumberChoice::Of(0);
  NumberChoice deviation = NumberChoice::Of(0);
};

// The part of the instances that is in a region, on VMs of a provider.
struct DeploymentShare {
  std::string region{};
  std::string provider{};
  double share = 0;  // All together are one.
};

struct AppRecipe {
  NumberChoice services = NumberChoice::Of(0);
  std::vector<AttachmentSet> topologies{};  // One is drawn.

  // Of each service.
  NumberChoice limit_cpu_milli = NumberChoice::Of(0);
  NumberChoice limit_memory_bytes = NumberChoice::Of(0);
  SpreadChoice idle_cpu_milli{};
  SpreadChoice idle_memory_bytes{};
  SpreadChoice boot_us{};
  SpreadChoice termination_us{};

  // Of requests.
  SpreadChoice processing_us{};  // At each service, there and back together.
  SpreadChoice request_cpu_milli{};
  SpreadChoice request_memory_bytes{};
  NumberChoice request_bytes = NumberChoice::Of(0);
  NumberChoice response_bytes = NumberChoice::Of(0);
  NumberChoice timeout_us = NumberChoice::Of(0);

  std::vector<NumberChoice> hourly_rates{};  // Requests a second, again and again.
  double rate_scale = 1;                     // Of all of them.
  Duration duration{};

  std::vector<DeploymentShare> deployment{};
  NumberChoice instances = NumberChoice::Of(1);  // Of a service, at first.
  std::vector<VmType> node_types{};              // Of the providers that are deployed on.

  std::vector<std::string> notes{};  // What traces told.
};

// Files that it names are looked for beside it.
Result<AppRecipe> ReadRecipe(const std::string& path);

}  // namespace berth
