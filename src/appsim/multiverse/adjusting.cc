#include "appsim/multiverse/adjusting.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace berth::multiverse {
namespace {

class Planner {
 public:
  Planner(std::vector<std::int64_t> wanted, const std::vector<NodeGroup>& groups,
          const NodePlacer& placer, const SimulationSet& set, const Quirks& quirks, Rng& rng)
      : unmet_(std::move(wanted)),
        groups_(groups),
        placer_(placer),
        set_(set),
        quirks_(quirks),
        rng_(rng) {}

  Orders Plan() {
    std::vector<std::size_t> left = RemoveInstances();
    AddInstances(std::move(left));
    AddNodes();
    return std::move(orders_);
  }

 private:
  bool Unmet(int sign) const {
    return std::any_of(unmet_.begin(), unmet_.end(),
                       [&](std::int64_t n) { return sign > 0 ? n > 0 : n < 0; });
  }

  // By how full they are just now, the emptiest first.
  std::vector<std::size_t> Sorted(std::vector<std::size_t> groups) {
    std::vector<double> fractions(groups_.size(), 0.0);
    for (const std::size_t g : groups) {
      fractions[g] = groups_[g].Fraction(groups_[g].IdleUse(rng_));
    }
    std::stable_sort(groups.begin(), groups.end(),
                     [&](std::size_t a, std::size_t b) { return fractions[a] < fractions[b]; });
    return groups;
  }

  // The services by size on a group's nodes, the largest first.
  std::vector<std::size_t> BySize(const NodeGroup& group) const {
    std::vector<std::size_t> services(unmet_.size());
    for (std::size_t s = 0; s < services.size(); ++s) services[s] = s;
    std::stable_sort(services.begin(), services.end(), [&](std::size_t a, std::size_t b) {
      return group.Fraction(placer_.Size(a)) > group.Fraction(placer_.Size(b));
    });
    return services;
  }

  // From the emptiest groups, whose nodes go when fewer will do. The groups that keep theirs.
  std::vector<std::size_t> RemoveInstances() {
    std::vector<std::size_t> usable;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (groups_[g].nodes() > 0 && !groups_[g].leaving) usable.push_back(g);
    }
    std::vector<std::size_t> left;
    for (const std::size_t g : Sorted(usable)) {
      if (!Unmet(-1) || !RemoveFrom(g)) left.push_back(g);
    }
    return left;
  }

  // Whether nodes go, too.
  bool RemoveFrom(std::size_t g) {
    const NodeGroup& group = groups_[g];
    Amounts use = group.IdleUse(rng_);
    Counts taken(unmet_.size(), 0);
    for (const std::size_t s : BySize(group)) {
      if (unmet_[s] >= 0) continue;
      const std::int64_t count = std::min<std::int64_t>(-unmet_[s], group.instances(s));
      AddTo(use, placer_.Size(s), -static_cast<double>(count));
      unmet_[s] += count;
      taken[s] = static_cast<std::uint32_t>(count);
    }
    const std::uint32_t needed = placer_.NodesFor(use, group.node_type());
    const bool shrinks = needed < group.nodes();
    NodeRemoval removal{.group = g,
                        .nodes = shrinks ? group.nodes() - needed : 0,
                        .instances = Counts(unmet_.size(), 0)};
    for (std::size_t s = 0; s < taken.size(); ++s) {
      const auto with_nodes = static_cast<std::uint32_t>(std::uint64_t{group.instances(s)} *
                                                         removal.nodes / group.nodes());
      removal.instances[s] = with_nodes;
      if (taken[s] <= with_nodes) continue;
      orders_.changes.push_back(
          {.group = g, .service = s, .change = -static_cast<std::int64_t>(taken[s] - with_nodes)});
    }
    if (shrinks) orders_.removals.push_back(std::move(removal));
    return shrinks;
  }

  // To the fullest groups while they have room.
  void AddInstances(std::vector<std::size_t> groups) {
    groups = Sorted(std::move(groups));
    std::reverse(groups.begin(), groups.end());
    for (const std::size_t g : groups) {
      if (!Unmet(1)) return;
      const NodeGroup& group = groups_[g];
      Amounts use = group.IdleUse(rng_);
      const auto has_room = [&] { return placer_.HasRoom(use, group.node_type(), group.nodes()); };
      for (const std::size_t s : BySize(group)) {
        if (unmet_[s] <= 0 || !has_room()) continue;
        std::int64_t count = 0;
        for (; count < unmet_[s] && has_room(); ++count) AddTo(use, placer_.Size(s));
        if (!has_room()) {
          AddTo(use, placer_.Size(s), -1);
          --count;
        }
        unmet_[s] -= count;
        if (count > 0) orders_.changes.push_back({.group = g, .service = s, .change = count});
      }
    }
  }

  // Beside what there is, or in place of it.
  void AddNodes() {
    if (!Unmet(1)) return;
    Counts missing(unmet_.size(), 0);
    Counts all(unmet_.size(), 0);
    double old_price = 0;
    for (std::size_t s = 0; s < unmet_.size(); ++s) {
      missing[s] = static_cast<std::uint32_t>(std::max<std::int64_t>(unmet_[s], 0));
      all[s] = missing[s];
      for (const NodeGroup& group : groups_) all[s] += group.instances(s);
    }
    for (const NodeGroup& group : groups_) {
      old_price += group.nodes() * set_.node_types[group.node_type()].price_an_hour;
    }
    NewNodes added = placer_.Place(missing);
    NewNodes substitute = placer_.Place(all);
    const auto hours = [](double micros) { return micros / 3600e6; };
    const double horizon = hours(static_cast<double>(set_.adjustment.horizon.count()));
    const double old_hours = quirks_.Has(Quirk::kAddingForgetsOld) ? 0 : horizon;
    const double adding = placer_.PriceAnHour(added) * horizon + old_price * old_hours;
    const double substituting =
        placer_.PriceAnHour(substitute) * horizon + old_price * hours(UntilUp(substitute));
    const bool add = !added.empty() && (substitute.empty() || adding < substituting);
    orders_.substitutes = !add && !substitute.empty();
    orders_.added = add ? std::move(added) : std::move(substitute);
  }

  // Microseconds, on average.
  double UntilUp(const NewNodes& nodes) const {
    double longest = 0;
    for (const NodeBatch& batch : nodes) {
      longest = std::max(longest, set_.node_types[batch.node_type].boot.mean);
    }
    return longest;
  }

  std::vector<std::int64_t> unmet_;
  const std::vector<NodeGroup>& groups_;
  const NodePlacer& placer_;
  const SimulationSet& set_;
  const Quirks& quirks_;
  Rng& rng_;
  Orders orders_;
};

}  // namespace

Orders PlanOrders(const std::vector<std::int64_t>& wanted, const std::vector<NodeGroup>& groups,
                  const NodePlacer& placer, const SimulationSet& set, const Quirks& quirks,
                  Rng& rng) {
  return Planner(wanted, groups, placer, set, quirks, rng).Plan();
}

}  // namespace berth::multiverse
