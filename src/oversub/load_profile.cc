#include "oversub/load_profile.h"

#include <algorithm>
#include <array>

#include "berth/check.h"

namespace berth {
namespace {

template <typename T>
void Restride(std::vector<T>& values, std::uint32_t rows, std::uint32_t from, std::uint32_t to) {
  std::vector<T> wider(std::size_t{rows} * to);
  for (std::size_t row = 0; row < rows; ++row) {
    std::copy_n(values.data() + row * from, from, wider.data() + row * to);
  }
  values = std::move(wider);
}

// Adds what a tenant needs at each of these ends, all of which it lives to see.
void AddGrowing(const DemandCurve::Growing& growing, Step creation, std::span<const Step> ends,
                Load* loads) {
  for (const Step end : ends) {
    const Load age = static_cast<Load>(end) - creation;
    *loads++ += std::min(growing.maximum, growing.initial + age * growing.slope);
  }
}

}  // namespace

void LoadProfile::Build(const RepetitionDraws& draws, std::span<const TenantSlot> present,
                        Step now) {
  std::vector<DemandCurve> curves(present.size());
  std::vector<std::uint64_t> by_end;  // The end and, below it, the place in `present`.
  by_end.reserve(present.size());
  for (std::size_t i = 0; i < present.size(); ++i) {
    curves[i] = draws.Curve(present[i]);
    if (curves[i].end > now) {
      by_end.push_back(static_cast<std::uint64_t>(curves[i].end) << 32 | i);
    }
  }
  std::ranges::sort(by_end);

  const auto size = static_cast<std::uint32_t>(by_end.size());
  *size_ = size;
  std::vector<const DemandCurve*> growing;  // Of those that leave later.
  PerResource<Load> load;
  for (std::uint32_t i = size; i-- > 0;) {
    const std::size_t place = by_end[i] & UINT32_MAX;
    const DemandCurve& curve = curves[place];
    ends_[i] = curve.end;
    growth_ends_[i] = curve.growth_end;
    slots_[i] = present[place];
    for (const DemandCurve* other : growing) {
      const Step next_end = ends_[i + 1];
      if (other->growth_end <= curve.end) continue;
      load = load - (other->At(next_end) - other->At(curve.end));
    }
    load = load + curve.At(curve.end);
    if (curve.growth_end > now) growing.push_back(&curve);
    SetLoads(i, load);
  }
  // Of those that leave together, the first has the load of all.
  for (std::uint32_t i = 1; i < size; ++i) {
    if (ends_[i] == ends_[i - 1]) SetLoads(i, LoadsAt(i - 1));
  }
}

void LoadProfile::Insert(const DemandCurve& curve, TenantSlot slot, const RepetitionDraws& draws) {
  const std::uint32_t position = LeavingUntil(curve.end);
  using enum DemandResource;
  for (std::size_t i = 0; i < position; ++i) loads_[kCpu][i] += curve.cpu;
  AddGrowing(curve.memory, curve.creation, {ends_, position}, loads_[kMemory]);
  AddGrowing(curve.disk, curve.creation, {ends_, position}, loads_[kDisk]);
  const bool leaves_with_another = position > 0 && ends_[position - 1] == curve.end;
  const PerResource<Load> own =
      leaves_with_another ? LoadsAt(position - 1)
                          : LoadsBetween(position, curve.end, draws) + curve.At(curve.end);
  OpenGap(position);
  ends_[position] = curve.end;
  growth_ends_[position] = curve.growth_end;
  slots_[position] = slot;
  SetLoads(position, own);
}

void LoadProfile::Remove(const DemandCurve& curve, TenantSlot slot) {
  const std::uint32_t count = LeavingUntil(curve.end);
  std::uint32_t position = count;
  while (position > 0 && slots_[position - 1] != slot) --position;
  BERTH_CHECK(position > 0 && ends_[position - 1] == curve.end);
  for (const DemandResource r : kAllDemandResources) {
    for (std::uint32_t i = 0; i < count; ++i) loads_[r][i] -= curve.At(r, ends_[i]);
  }
  CloseGap(position - 1, 1);
}

void LoadProfile::DropUntil(Step now) { CloseGap(0, LeavingUntil(now)); }

LoadPeak LoadProfile::Peak(DemandResource resource) const {
  const Load* const loads = loads_[resource];
  const Load* const end = loads + *size_;
  if (loads == end) return {};
  // In lanes: one maximum after the other would wait for each.
  constexpr std::ptrdiff_t kLanes = 8;
  std::array<Load, kLanes> lanes{};
  const Load* block = loads;
  for (; end - block >= kLanes; block += kLanes) {
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      lanes[i] = lanes[i] < block[i] ? block[i] : lanes[i];
    }
  }
  for (; block != end; ++block) lanes[0] = std::max(lanes[0], *block);
  const Load greatest = *std::max_element(lanes.begin(), lanes.end());
  return {greatest, ends_[std::find(loads, end, greatest) - loads]};
}

bool LoadProfile::ReachesWith(const DemandCurve& added, DemandResource resource, Load threshold,
                              const RepetitionDraws& draws) const {
  const Load* const loads = loads_[resource];
  const std::uint32_t position = LeavingUntil(added.end);
  for (std::uint32_t i = 0; i < position; ++i) {
    if (loads[i] + added.At(resource, ends_[i]) >= threshold) return true;
  }
  if (position > 0 && ends_[position - 1] == added.end) return false;
  const Load own = added.At(resource, added.end);
  // At the next end the load of the others is at least what it is at this one.
  const Load at_most = position < *size_ ? loads[position] : 0;
  return at_most + own >= threshold &&
         LoadsBetween(position, added.end, draws)[resource] + own >= threshold;
}

std::uint32_t LoadProfile::LeavingUntil(Step moment) const {
  return static_cast<std::uint32_t>(std::upper_bound(ends_, ends_ + *size_, moment) - ends_);
}

PerResource<Load> LoadProfile::LoadsBetween(std::uint32_t position, Step moment,
                                            const RepetitionDraws& draws) const {
  if (position == *size_) return {};
  PerResource<Load> loads = LoadsAt(position);
  for (std::uint32_t i = position; i < *size_; ++i) {
    if (growth_ends_[i] <= moment) continue;
    const DemandCurve curve = draws.Curve(slots_[i]);
    loads = loads - (curve.At(ends_[position]) - curve.At(moment));
  }
  return loads;
}

PerResource<Load> LoadProfile::LoadsAt(std::uint32_t position) const {
  using enum DemandResource;
  return {loads_[kCpu][position], loads_[kMemory][position], loads_[kDisk][position]};
}

void LoadProfile::SetLoads(std::uint32_t position, const PerResource<Load>& loads) {
  for (const DemandResource r : kAllDemandResources) loads_[r][position] = loads[r];
}

void LoadProfile::OpenGap(std::uint32_t position) {
  const std::uint32_t size = (*size_)++;
  const auto shift = [&](auto* values) {
    std::copy_backward(values + position, values + size, values + size + 1);
  };
  shift(ends_);
  shift(growth_ends_);
  shift(slots_);
  for (const DemandResource r : kAllDemandResources) shift(loads_[r]);
}

void LoadProfile::CloseGap(std::uint32_t position, std::uint32_t count) {
  if (count == 0) return;
  const auto shift = [&](auto* values) {
    std::copy(values + position + count, values + *size_, values + position);
  };
  shift(ends_);
  shift(growth_ends_);
  shift(slots_);
  for (const DemandResource r : kAllDemandResources) shift(loads_[r]);
  *size_ -= count;
}

MachineProfile::MachineProfile(std::uint32_t repetitions, std::uint32_t capacity)
    : repetitions_(repetitions), capacity_(capacity), sizes_(repetitions) {
  const std::size_t entries = std::size_t{repetitions} * capacity;
  ends_.resize(entries);
  growth_ends_.resize(entries);
  slots_.resize(entries);
  for (const DemandResource r : kAllDemandResources) loads_[r].resize(entries);
}

void MachineProfile::Reserve(std::uint32_t capacity) {
  if (capacity <= capacity_) return;
  Restride(ends_, repetitions_, capacity_, capacity);
  Restride(growth_ends_, repetitions_, capacity_, capacity);
  Restride(slots_, repetitions_, capacity_, capacity);
  for (const DemandResource r : kAllDemandResources) {
    Restride(loads_[r], repetitions_, capacity_, capacity);
  }
  capacity_ = capacity;
}

LoadProfile MachineProfile::At(std::uint32_t repetition) {
  const std::size_t at = std::size_t{repetition} * capacity_;
  return {&sizes_[repetition],
          ends_.data() + at,
          growth_ends_.data() + at,
          slots_.data() + at,
          {loads_[DemandResource::kCpu].data() + at, loads_[DemandResource::kMemory].data() + at,
           loads_[DemandResource::kDisk].data() + at}};
}

std::size_t MachineProfile::bytes() const {
  return sizes_.size() * sizeof(std::uint32_t) +
         ends_.size() *
             (2 * sizeof(Step) + sizeof(TenantSlot) + kDemandResourceCount * sizeof(Load));
}

}  // namespace berth
