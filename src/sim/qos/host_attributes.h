// Which hosts a request may run on by its key=value constraints. Equal sets of constraints are
// matched with every host once.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "qos/scheduler.h"
#include "sim/qos/workload.h"

namespace berth {

class HostAttributes final : public HostFilter {
 public:
  explicit HostAttributes(const std::vector<QosHost>& hosts) : hosts_(hosts) {}

  // The word for these constraints in an Want; 0 for none.
  std::uint32_t WordFor(const QosAttributes& constraints);

  bool MayRun(const Want& want, HostIndex host) const override {
    return want.constraint == 0 || allowed_[want.constraint - 1][ToNumber(host)];
  }

 private:
  const std::vector<QosHost>& hosts_;
  std::map<QosAttributes, std::uint32_t> words_;
  std::vector<std::vector<bool>> allowed_;  // By word, then host.
};

}  // namespace berth
