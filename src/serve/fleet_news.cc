#include "serve/fleet_news.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "oversub/fleet_outlook.h"

namespace berth {
namespace {

constexpr std::uint8_t kPerCentMax = 254;
constexpr std::uint8_t kNotKnown = 255;
constexpr std::uint32_t kNoPlace = UINT32_MAX;

std::vector<ClusterIndex> ClustersByName(const Inventory& view) {
  std::vector<ClusterIndex> order;
  order.reserve(view.clusters().size());
  for (std::uint32_t i = 0; i < view.clusters().size(); ++i) order.push_back(ClusterIndex{i});
  std::ranges::sort(order, [&](ClusterIndex a, ClusterIndex b) {
    return std::make_tuple(view[a].datacenter.str(), view[a].name.str()) <
           std::make_tuple(view[b].datacenter.str(), view[b].name.str());
  });
  return order;
}

std::vector<Resource> ResourcesIn(const Inventory& view) {
  std::vector<Resource> found;
  found.reserve(kResourceCount);
  for (const Resource r : kAllResources) {
    const bool any = std::ranges::any_of(
        view.clusters(), [&](const ClusterState& cluster) { return cluster.capacity[r] > 0; });
    if (any) found.push_back(r);
  }
  return found;
}

// Everything that is said of one machine, a byte each.
class Columns {
 public:
  Columns(const std::vector<Resource>& resources, std::size_t machines, bool ahead,
          v1::FleetNews& news)
      : resources_(resources), news_(news) {
    news_.mutable_health()->reserve(machines);
    if (ahead) news_.mutable_violation()->reserve(machines);
    for (const Resource r : resources) {
      v1::FleetColumn& column = *news_.add_columns();
      column.set_resource(std::string(ResourceName(r)));
      column.mutable_allocated()->reserve(machines);
      column.mutable_used()->reserve(machines);
    }
  }

  void Add(const MachineState& machine, const Resources& used) {
    Append(*news_.mutable_health(), static_cast<std::uint8_t>(machine.record.health));
    for (std::size_t i = 0; i < resources_.size(); ++i) {
      const Resource r = resources_[i];
      v1::FleetColumn& column = *news_.mutable_columns(static_cast<int>(i));
      const std::int64_t capacity = machine.record.capacity[r];
      Append(*column.mutable_allocated(), PerCent(machine.allocated[r], capacity));
      Append(*column.mutable_used(), PerCent(used[r], capacity));
    }
  }

  void AddViolation(const FleetOutlook& outlook, MachineIndex machine) {
    Append(*news_.mutable_violation(),
           PerCent(outlook.ViolationsOn(machine), outlook.policy().repetitions));
  }

 private:
  static void Append(std::string& bytes, std::uint8_t byte) {
    bytes.push_back(static_cast<char>(byte));
  }

  const std::vector<Resource>& resources_;
  v1::FleetNews& news_;
};

}  // namespace

std::uint8_t PerCent(std::int64_t part, std::int64_t whole) {
  if (part < 0 || whole <= 0) return kNotKnown;
  const double share = static_cast<double>(part) / static_cast<double>(whole);
  return static_cast<std::uint8_t>(std::min<double>(std::round(100 * share), kPerCentMax));
}

bool FleetNewsTeller::IsOtherFleet(const Inventory& view,
                                   const std::vector<Resource>& resources) const {
  return !begun_ || resources != resources_ ||
         !std::ranges::equal(view.clusters(), shapes_, {}, &ClusterState::shape);
}

void FleetNewsTeller::TellLayout(const Inventory& view, v1::FleetNews& news) {
  shapes_.clear();
  shapes_.reserve(view.clusters().size());
  for (const ClusterState& cluster : view.clusters()) shapes_.push_back(cluster.shape);
  places_.assign(view.machines().size(), kNoPlace);
  std::uint32_t place = 0;
  for (const ClusterIndex cluster : ClustersByName(view)) {
    RackIndex last{};
    v1::FleetRack* rack = nullptr;
    for (const MachineIndex machine : view[cluster].machines) {
      const MachineState& state = view[machine];
      if (rack == nullptr || state.rack != last) {
        rack = news.add_racks();
        rack->set_datacenter(state.record.datacenter.str());
        rack->set_cluster(state.record.cluster.str());
        rack->set_row(state.record.row.str());
        rack->set_rack(state.record.rack.str());
        last = state.rack;
      }
      rack->set_machines(rack->machines() + 1);
      news.add_names(state.record.name.str());
      news.add_machines(static_cast<std::uint32_t>(At(machine)));
      places_[At(machine)] = place++;
    }
  }
}

std::shared_ptr<const v1::FleetNews> FleetNewsTeller::Next(const Inventory& view,
                                                           const MachineUsage& used,
                                                           const Outlook* outlook) {
  const auto* ahead = dynamic_cast<const FleetOutlook*>(outlook);
  auto news = std::make_shared<v1::FleetNews>();
  std::vector<Resource> resources = ResourcesIn(view);
  const bool whole = IsOtherFleet(view, resources) || looked_ahead_ != (ahead != nullptr);
  resources_ = std::move(resources);
  if (whole) {
    TellLayout(view, *news);
  } else {
    const auto add = [&](MachineIndex machine) {
      if (At(machine) < places_.size() && places_[At(machine)] != kNoPlace) {
        news->add_machines(static_cast<std::uint32_t>(At(machine)));
      }
    };
    view.journal().ForEachSince(journal_, add);
    used.ForEachSince(used_, add);
    if (news->machines().empty()) return nullptr;
    // A machine of both lists is told once, and the order is that of the map.
    auto& changed = *news->mutable_machines();
    std::ranges::sort(changed, {}, [&](std::uint32_t machine) { return places_[machine]; });
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  }
  begun_ = true;
  looked_ahead_ = ahead != nullptr;
  journal_ = view.journal().position();
  used_ = used.position();
  news->set_revision(ToNumber(view.revision()));
  Columns columns(resources_, static_cast<std::size_t>(news->machines_size()), ahead != nullptr,
                  *news);
  for (std::uint32_t& machine : *news->mutable_machines()) {
    const MachineIndex index{machine};
    columns.Add(view[index], used.On(view, index));
    if (ahead != nullptr) columns.AddViolation(*ahead, index);
    machine = places_[machine];
  }
  if (whole) news->clear_machines();
  return news;
}

}  // namespace berth
