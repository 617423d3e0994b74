#include "berth/ids.h"

namespace berth {

std::string ToString(const DecisionId& id) { return id.agent + "-" + std::to_string(id.sequence); }

std::string ToString(const InstanceId& id) { return id.service + "/" + std::to_string(id.number); }

}  // namespace berth
