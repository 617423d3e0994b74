#include "scale/capacity/vm_cover.h"

#include <algorithm>
#include <limits>

#include "berth/check.h"

namespace berth {
namespace {

// The numbers of instances still to place, counted through: a state is how many of each service.
class CoverTable {
 public:
  CoverTable(std::span<const VmFilling> fillings, std::span<const VmType> types,
             const InstanceCounts& wanted)
      : fillings_(fillings), types_(types), wanted_(wanted) {
    std::size_t size = 1;
    for (const std::uint32_t count : wanted) {
      place_value_.push_back(size);
      size *= std::size_t{count} + 1;
    }
    best_.resize(size);
  }

  std::vector<VmFilling> Solve() {
    InstanceCounts left(wanted_.size(), 0);
    best_[0].hour_micros = 0;
    for (std::size_t state = 1; state < best_.size(); ++state) {
      Increment(left);
      for (std::size_t f = 0; f < fillings_.size(); ++f) Try(state, left, f);
    }
    return Chosen();
  }

 private:
  struct Best {
    std::int64_t hour_micros = std::numeric_limits<std::int64_t>::max();
    std::uint32_t vms = 0;
    std::uint32_t filling = 0;
  };

  // To the next state: the first service counts fastest.
  void Increment(InstanceCounts& left) const {
    for (std::size_t s = 0; s < left.size(); ++s) {
      if (left[s] < wanted_[s]) {
        ++left[s];
        return;
      }
      left[s] = 0;
    }
  }

  std::size_t After(const InstanceCounts& left, const VmFilling& filling) const {
    std::size_t state = 0;
    for (std::size_t s = 0; s < left.size(); ++s) {
      const std::uint32_t taken = std::min(left[s], filling.instances[s]);
      state += place_value_[s] * (left[s] - taken);
    }
    return state;
  }

  void Try(std::size_t state, const InstanceCounts& left, std::size_t f) {
    const std::size_t after = After(left, fillings_[f]);
    if (after == state) return;
    const Best& rest = best_[after];
    const std::int64_t price = rest.hour_micros + types_[fillings_[f].type].hour_micros;
    Best& best = best_[state];
    if (price > best.hour_micros) return;
    if (price == best.hour_micros && rest.vms + 1 >= best.vms) return;
    best = {.hour_micros = price, .vms = rest.vms + 1, .filling = static_cast<std::uint32_t>(f)};
  }

  std::vector<VmFilling> Chosen() const {
    std::vector<VmFilling> chosen;
    InstanceCounts left = wanted_;
    std::size_t state = best_.size() - 1;
    while (state != 0) {
      const VmFilling& filling = fillings_[best_[state].filling];
      VmFilling vm{.type = filling.type, .instances = filling.instances};
      state = After(left, filling);
      for (std::size_t s = 0; s < left.size(); ++s) {
        vm.instances[s] = std::min(left[s], filling.instances[s]);
        left[s] -= vm.instances[s];
      }
      chosen.push_back(std::move(vm));
    }
    return chosen;
  }

  std::span<const VmFilling> fillings_;
  std::span<const VmType> types_;
  InstanceCounts wanted_;
  std::vector<std::size_t> place_value_;
  std::vector<Best> best_;
};

}  // namespace

std::optional<std::vector<VmFilling>> CheapestCover(std::span<const VmFilling> fillings,
                                                    std::span<const VmType> types,
                                                    const InstanceCounts& wanted,
                                                    std::size_t steps_max) {
  std::size_t steps = std::max<std::size_t>(fillings.size(), 1);
  for (const std::uint32_t count : wanted) {
    if (steps > steps_max) return std::nullopt;
    steps *= std::size_t{count} + 1;
  }
  if (steps > steps_max) return std::nullopt;
  return CoverTable(fillings, types, wanted).Solve();
}

}  // namespace berth
