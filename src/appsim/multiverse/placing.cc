#include "appsim/multiverse/placing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace berth::multiverse {
namespace {

// How far from full a mix may be to count as balanced.
constexpr double kBalanced = 0.05;
// Instances that a core of a shared node takes.
constexpr double kInstancesACore = 2;
// A node never holds more, however small instances are.
constexpr std::uint32_t kOnANodeMax = 10'000;

std::uint32_t WholeMixes(const Counts& wanted, const Counts& mix) {
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t s = 0; s < wanted.size(); ++s) {
    if (wanted[s] == 0) continue;
    least = std::min(least, mix[s] == 0 ? 0 : wanted[s] / mix[s]);
  }
  return least;
}

}  // namespace

NodePlacer::NodePlacer(const SimulationSet& set, const Quirks& quirks)
    : set_(&set), quirks_(&quirks), fill_(quirks.Has(Quirk::kFillsToThirtyFive) ? 0.35 : 0.30) {
  sizes_.reserve(set.application.services.size());
  for (const ServiceSpec& service : set.application.services) {
    Amounts size{};
    for (std::size_t i = 0; i < kAmountCount; ++i) size[i] = service.idle[i].mean;
    if (quirks.Has(Quirk::kPlacesByLimits) && service.limits) size = *service.limits;
    sizes_.push_back(size);
  }
  mixes_.resize(set.node_types.size());
  for (std::size_t type = 0; type < set.node_types.size(); ++type) AddMixes(type);
}

bool NodePlacer::IsFull(const Amounts& use, std::size_t node_type) const {
  const Amounts& capacity = set_->node_types[node_type].capacity;
  for (std::size_t i = 0; i < kAmountCount; ++i) {
    if (use[i] >= capacity[i]) return true;
  }
  return false;
}

double NodePlacer::Fraction(const Amounts& use, std::size_t node_type) const {
  const Amounts& capacity = set_->node_types[node_type].capacity;
  double sum = 0;
  for (std::size_t i = 0; i < kAmountCount; ++i) {
    if (capacity[i] > 0) sum += use[i] / capacity[i];
  }
  return sum / static_cast<double>(kAmountCount);
}

bool NodePlacer::HasRoom(const Amounts& use, std::size_t node_type, std::uint32_t nodes) const {
  const Amounts& capacity = set_->node_types[node_type].capacity;
  for (std::size_t i = 0; i < kAmountCount; ++i) {
    if (use[i] >= fill_ * nodes * capacity[i]) return false;
  }
  return true;
}

std::uint32_t NodePlacer::NodesFor(const Amounts& use, std::size_t node_type) const {
  const Amounts& capacity = set_->node_types[node_type].capacity;
  double most = 0;
  for (std::size_t i = 0; i < kAmountCount; ++i) {
    if (capacity[i] > 0) most = std::max(most, std::ceil(use[i] / (fill_ * capacity[i])));
  }
  return static_cast<std::uint32_t>(std::min(most, static_cast<double>(kSetCountMax)));
}

// Those that one node can hold one of, the largest first.
std::vector<std::size_t> NodePlacer::FittingServices(std::size_t node_type) const {
  std::vector<std::size_t> fitting;
  for (std::size_t s = 0; s < sizes_.size(); ++s) {
    if (!IsFull(sizes_[s], node_type)) fitting.push_back(s);
  }
  // The original sorts up and turns around, which leaves equal ones in turned order.
  std::stable_sort(fitting.begin(), fitting.end(), [&](std::size_t a, std::size_t b) {
    return Fraction(sizes_[a], node_type) < Fraction(sizes_[b], node_type);
  });
  std::reverse(fitting.begin(), fitting.end());
  return fitting;
}

// One mix for each service: it, and those smaller than it, while there is room.
std::vector<NodePlacer::FilledMix> NodePlacer::SharedMixes(std::size_t node_type) const {
  const std::vector<std::size_t> services = FittingServices(node_type);
  const double most = kInstancesACore * set_->node_types[node_type].capacity[kVcpu];
  const bool bounded = quirks_->Has(Quirk::kTwoInstancesACore);
  std::vector<FilledMix> mixes;
  for (std::size_t first = 0; first < services.size(); ++first) {
    FilledMix mix{.counts = Counts(sizes_.size(), 0)};
    Amounts use = sizes_[services[first]];
    std::uint32_t count = 0;
    for (std::size_t i = first; i < services.size(); ++i) {
      if (!quirks_->Has(Quirk::kMixesRepeatCounts)) count = i == first ? 1 : 0;
      while (HasRoom(use, node_type, 1) && count < kOnANodeMax && (!bounded || count <= most)) {
        AddTo(use, sizes_[services[i]]);
        ++count;
      }
      mix.counts[services[i]] = count;
    }
    mix.fraction = Fraction(use, node_type);
    if (std::any_of(mix.counts.begin(), mix.counts.end(), [](auto n) { return n > 0; })) {
      mixes.push_back(std::move(mix));
    }
  }
  return mixes;
}

void NodePlacer::AddMixes(std::size_t node_type) {
  std::vector<Counts>& mixes = mixes_[node_type];
  const std::string& hint = set_->adjustment.placement_hint;
  if (hint != "specialized" && hint != "sole_instance") {
    const std::vector<FilledMix> shared = SharedMixes(node_type);
    const auto from_full = [](const FilledMix& mix) { return std::abs(mix.fraction - 1); };
    const FilledMix* best = nullptr;
    for (const FilledMix& mix : shared) {
      if (hint != "balanced" || from_full(mix) <= kBalanced) mixes.push_back(mix.counts);
      if (best == nullptr || from_full(mix) < from_full(*best)) best = &mix;
    }
    if (mixes.empty() && best != nullptr) mixes.push_back(best->counts);
  }
  for (std::size_t s = 0; s < sizes_.size() && hint != "sole_instance"; ++s) {
    if (IsFull(sizes_[s], node_type)) continue;
    Amounts use = sizes_[s];
    std::uint32_t count = 0;
    for (; !IsFull(use, node_type) && count < kOnANodeMax; ++count) AddTo(use, sizes_[s]);
    Counts mix(sizes_.size(), 0);
    mix[s] = count;
    mixes.push_back(std::move(mix));
  }
  for (std::size_t s = 0; s < sizes_.size(); ++s) {
    if (IsFull(sizes_[s], node_type)) continue;
    Counts mix(sizes_.size(), 0);
    mix[s] = 1;
    mixes.push_back(std::move(mix));
  }
}

// As many nodes as there are whole mixes in what is wanted, of the mix that needs the fewest.
NewNodes NodePlacer::PlaceOn(std::size_t node_type, const Counts& wanted) const {
  const Counts* best = nullptr;
  std::uint32_t nodes = std::numeric_limits<std::uint32_t>::max();
  for (const Counts& mix : mixes_[node_type]) {
    const std::uint32_t whole = WholeMixes(wanted, mix);
    if (whole == 0 || whole >= nodes) continue;
    nodes = whole;
    best = &mix;
  }
  if (best == nullptr) return {};
  NodeBatch main{.node_type = node_type, .nodes = nodes, .instances = Counts(wanted.size(), 0)};
  NodeBatch rest{.node_type = node_type, .nodes = 1, .instances = Counts(wanted.size(), 0)};
  bool has_rest = false;
  for (std::size_t s = 0; s < wanted.size(); ++s) {
    if (wanted[s] == 0) continue;
    rest.instances[s] = wanted[s] % ((*best)[s] * nodes);
    has_rest = has_rest || rest.instances[s] > 0;
  }
  const bool one_node = quirks_->Has(Quirk::kRemainderOnOneNode);
  if (has_rest && one_node) --main.nodes;
  for (std::size_t s = 0; s < wanted.size(); ++s) {
    const bool asked = wanted[s] > 0 || quirks_->Has(Quirk::kMixesBringOthers);
    if (asked) main.instances[s] = (*best)[s] * main.nodes;
  }
  if (has_rest && !one_node) {
    std::uint32_t needed = 1;
    for (std::size_t s = 0; s < wanted.size(); ++s) {
      if (rest.instances[s] == 0) continue;
      needed = std::max(needed, (rest.instances[s] + (*best)[s] - 1) / (*best)[s]);
    }
    rest.nodes = needed;
  }
  NewNodes placed;
  if (main.nodes > 0) placed.push_back(std::move(main));
  if (has_rest) placed.push_back(std::move(rest));
  return placed;
}

NewNodes NodePlacer::Place(const Counts& wanted) const {
  NewNodes best;
  if (std::all_of(wanted.begin(), wanted.end(), [](auto n) { return n == 0; })) return best;
  for (std::size_t type = 0; type < mixes_.size(); ++type) {
    NewNodes placed = PlaceOn(type, wanted);
    if (placed.empty()) continue;
    if (best.empty() || PriceAnHour(placed) < PriceAnHour(best)) best = std::move(placed);
  }
  const bool several =
      std::count(wanted.begin(), wanted.end(), 0U) + 1 < static_cast<std::ptrdiff_t>(wanted.size());
  if (!best.empty() || !several || quirks_->Has(Quirk::kOneServiceAnInstant)) return best;
  // No mix holds them all: each on nodes of its own. The original asks for one at a time.
  for (std::size_t s = 0; s < wanted.size(); ++s) {
    Counts one(wanted.size(), 0);
    one[s] = wanted[s];
    for (NodeBatch& batch : Place(one)) best.push_back(std::move(batch));
  }
  return best;
}

double NodePlacer::PriceAnHour(const NewNodes& nodes) const {
  double price = 0;
  for (const NodeBatch& batch : nodes) {
    price += batch.nodes * set_->node_types[batch.node_type].price_an_hour;
  }
  return price;
}

}  // namespace berth::multiverse
