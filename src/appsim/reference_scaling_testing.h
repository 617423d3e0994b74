// The same while it is scaled.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "appsim/reference_app_testing.h"

namespace berth::testing {

class ReferenceScaledApp : public ReferenceApp {
 public:
  using ReferenceApp::ReferenceApp;

  // Nodes for each service, of the type of its number, one instance each, of these numbers from a
  // time on. What nodes and instances take to start and stop must be constant.
  void ScaleAt(std::int64_t at, std::vector<std::uint32_t> counts) {
    Put(at, 3, [this, counts] { Scale(counts); });
  }

 private:
  void Scale(const std::vector<std::uint32_t>& counts) {
    std::vector<std::size_t> leaving;
    for (std::size_t service = 0; service < counts.size(); ++service) {
      std::vector<std::size_t> there;  // Those that are there first, then those that start.
      for (const bool up : {true, false}) {
        for (std::size_t i = 0; i < instances_.size(); ++i) {
          const Instance& instance = instances_[i];
          // A node is up before its instance is ready, which is what counts.
          if (instance.service == service && instance.ordered && NodeIsUp(i) == up) {
            there.push_back(i);
          }
        }
      }
      for (std::size_t i = counts[service]; i < there.size(); ++i) leaving.push_back(there[i]);
      for (std::size_t i = there.size(); i < counts[service]; ++i) Order(service);
    }
    for (const std::size_t index : leaving) Stop(index);
  }
  bool NodeIsUp(std::size_t index) const {
    return !up_at_.contains(index) || up_at_.at(index) <= now_;
  }

  void Order(std::size_t service) {
    const std::size_t index = AddInstance(service, AddNode(service));
    const auto node_us = static_cast<std::int64_t>(model_.node_types[service].boot.mean);
    const auto boot_us = static_cast<std::int64_t>(model_.services[service].boot.mean);
    up_at_[index] = now_ + node_us;
    Put(now_ + node_us, 1, [this, index, boot_us] {
      nodes_[instances_[index].node].credits.settled = now_;
      if (instances_[index].ordered) Put(now_ + boot_us, 1, [this, index] { MakeReady(index); });
    });
  }
  void Stop(std::size_t index) {
    Instance& instance = instances_[index];
    instance.ordered = false;
    if (!instance.ready) {
      instance.gone = true;
      return;
    }
    Service& service = services_[instance.service];
    const auto place =
        static_cast<std::size_t>(std::ranges::find(service.ready, index) - service.ready.begin());
    service.ready.erase(service.ready.begin() + static_cast<std::ptrdiff_t>(place));
    if (service.turn > place) --service.turn;
    if (service.link_turn > place) --service.link_turn;
    const auto wait_us =
        static_cast<std::int64_t>(model_.services[instance.service].termination.mean);
    Put(now_ + wait_us, 1, [this, index] { Remove(index); });
  }
  void Remove(std::size_t index) {
    instances_[index].gone = true;
    std::vector<RequestId> lost;
    for (RequestId id = 0; id < requests_.size(); ++id) {
      for (Part& part : requests_[id].parts) {
        if (part.place != Place::kWorkedOn || part.instance != index) continue;
        Free(part);
        lost.push_back(id);
      }
    }
    std::ranges::sort(lost, {}, [&](RequestId id) {
      return std::tuple(requests_[id].sent, requests_[id].type, requests_[id].number);
    });
    for (const RequestId id : lost) {
      if (!requests_[id].over) Lose(id, LossCause::kInstanceStopped, instances_[index].service);
    }
    ServeNode(instances_[index].node);
  }

  std::map<std::size_t, std::int64_t> up_at_;  // Of the nodes of instances that were ordered.
};

}  // namespace berth::testing
