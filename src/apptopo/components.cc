#include "apptopo/components.h"

#include <algorithm>
#include <numeric>

namespace berth {
namespace {

// Tarjan's algorithm with a stack of its own: a chain of calls may be as long as the graph.
class TarjanSearch {
 public:
  explicit TarjanSearch(const ServiceGraph& graph)
      : callees_(graph.Callees()), order_(graph.size(), kUnseen), low_(graph.size(), 0) {
    found_.of.assign(graph.size(), kUnseen);
  }

  StrongComponents Run() {
    for (std::size_t service = 0; service < order_.size(); ++service) {
      if (order_[service] == kUnseen) From(service);
    }
    return std::move(found_);
  }

 private:
  static constexpr std::size_t kUnseen = static_cast<std::size_t>(-1);
  struct Frame {
    std::size_t service;
    std::size_t next = 0;  // Of its callees.
  };

  void Enter(std::size_t service) {
    order_[service] = low_[service] = entered_++;
    open_.push_back(service);
    frames_.push_back({service});
  }

  void From(std::size_t start) {
    Enter(start);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const std::size_t service = frame.service;
      if (frame.next < callees_[service].size()) {
        const std::size_t callee = ToIndex(callees_[service][frame.next++]);
        if (order_[callee] == kUnseen) {
          Enter(callee);
        } else if (found_.of[callee] == kUnseen) {
          low_[service] = std::min(low_[service], order_[callee]);
        }
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty()) {
        const std::size_t above = frames_.back().service;
        low_[above] = std::min(low_[above], low_[service]);
      }
      if (low_[service] == order_[service]) Close(service);
    }
  }

  void Close(std::size_t first) {
    for (;;) {
      const std::size_t service = open_.back();
      open_.pop_back();
      found_.of[service] = found_.count;
      if (service == first) break;
    }
    ++found_.count;
  }

  std::vector<std::vector<ServiceVertex>> callees_;
  std::vector<std::size_t> order_;
  std::vector<std::size_t> low_;
  std::vector<std::size_t> open_;
  std::vector<Frame> frames_;
  std::size_t entered_ = 0;
  StrongComponents found_;
};

}  // namespace

StrongComponents StrongComponentsOf(const ServiceGraph& graph) { return TarjanSearch(graph).Run(); }

DisjointSets::DisjointSets(std::size_t size) : parent_(size) {
  std::iota(parent_.begin(), parent_.end(), std::size_t{0});
}

std::size_t DisjointSets::Find(std::size_t item) {
  while (parent_[item] != item) {
    parent_[item] = parent_[parent_[item]];
    item = parent_[item];
  }
  return item;
}

void DisjointSets::Join(std::size_t a, std::size_t b) {
  const std::size_t of_a = Find(a);
  const std::size_t of_b = Find(b);
  parent_[std::max(of_a, of_b)] = std::min(of_a, of_b);
}

}  // namespace berth
