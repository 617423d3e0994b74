// Hosts on which something happened, numbered by when: who knew all hosts at some time needs to
// look only at those touched since.
#pragma once

#include <cstdint>
#include <vector>

#include "qos/request_table.h"

namespace berth {

class TouchLog {
 public:
  void Touch(HostIndex host) {
    if (last_.size() <= ToNumber(host)) last_.resize(ToNumber(host) + 1, 0);
    last_[ToNumber(host)] = end();
    touched_.push_back(host);
  }

  // The numbers kept: what was before `begin` is forgotten, `end` comes next.
  std::uint64_t begin() const { return begin_; }
  std::uint64_t end() const { return begin_ + touched_.size(); }
  void ForgetUntil(std::uint64_t number) {
    touched_.erase(touched_.begin(),
                   touched_.begin() + static_cast<std::ptrdiff_t>(number - begin_));
    begin_ = number;
  }

  bool IsTouchedSince(HostIndex host, std::uint64_t number) const {
    return ToNumber(host) < last_.size() && last_[ToNumber(host)] >= number;
  }
  // Every host touched since, once.
  template <typename Visit>
  void EachSince(std::uint64_t number, const Visit& visit) const {
    for (std::uint64_t i = number; i < end(); ++i) {
      const HostIndex host = touched_[i - begin_];
      if (last_[ToNumber(host)] == i) visit(host);
    }
  }

 private:
  std::vector<HostIndex> touched_;
  std::uint64_t begin_ = 0;
  std::vector<std::uint64_t> last_;  // By host, its last touch.
};

}  // namespace berth
