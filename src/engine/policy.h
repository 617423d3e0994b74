// A whole policy: one YAML file, each room reading its own section of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "allocate/experiment.h"
#include "berth/status.h"
#include "fleet/inventory.h"
#include "oversub/policy.h"
#include "rightsize/program_names.h"

namespace berth {

// Reads every section, and refuses those that no room knows. The programs that it may name are
// these.
Status CheckPolicy(std::string_view text, std::string file_name, const ProgramNames& programs = {});
// Whether a policy that was in force before names programs that are not there now.
Status CheckProgramsOf(std::string_view text, const std::string& file_name,
                       const ProgramNames& programs);

// How a fleet's instances are placed: by its own policy, or by the shipped one.
Result<AllocatePolicy> PolicyInForce(const Inventory& inventory);
// How it looks ahead.
Result<OversubPolicy> OversubPolicyInForce(const Inventory& inventory);
// What it tries out, if anything.
Result<std::optional<Experiment>> ExperimentInForce(const Inventory& inventory);
// How those of one service are, which may be in the experiment.
Result<AllocatePolicy> PolicyInForce(const Inventory& inventory, std::string_view service);

}  // namespace berth
