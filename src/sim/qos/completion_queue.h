// When each running request will be done: a heap that also forgets, so that it is never longer than
// there are requests alive however often they are preempted.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "berth/time.h"
#include "qos/request_table.h"

namespace berth {

class CompletionQueue {
 public:
  void Put(RequestIndex request, Time at) {
    if (at_.size() <= ToNumber(request)) at_.resize(ToNumber(request) + 1);
    at_[ToNumber(request)] = at;
    queue_.insert({at, ToNumber(request)});
  }
  void Remove(RequestIndex request) { queue_.erase({at_[ToNumber(request)], ToNumber(request)}); }
  bool empty() const { return queue_.empty(); }
  Time NextAt() const { return queue_.begin()->first; }
  RequestIndex Pop() {
    const RequestIndex request{queue_.begin()->second};
    queue_.erase(queue_.begin());
    return request;
  }

 private:
  std::set<std::pair<Time, std::uint32_t>> queue_;
  std::vector<Time> at_;  // By request.
};

}  // namespace berth
