#include "oversub/load_profile.h"

#include <algorithm>

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

}  // namespace

void LoadProfile::Build(const RepetitionDraws& draws, std::span<const TenantSlot> present,
                        Step now) {
  struct Entry {
    DemandCurve curve;
    TenantSlot slot;
  };
  std::vector<Entry> entries;
  entries.reserve(present.size());
  for (const TenantSlot slot : present) {
    const DemandCurve curve = draws.Curve(slot);
    if (curve.end > now) entries.push_back({curve, slot});
  }
  std::ranges::sort(entries, {}, [](const Entry& entry) { return entry.curve.end; });

  const auto size = static_cast<std::uint32_t>(entries.size());
  *size_ = size;
  for (std::uint32_t i = 0; i < size; ++i) {
    ends_[i] = entries[i].curve.end;
    growth_ends_[i] = entries[i].curve.growth_end;
    slots_[i] = entries[i].slot;
  }
  for (const DemandResource r : kAllDemandResources) {
    Load* const loads = loads_[r];
    for (std::uint32_t i = size; i-- > 0;) {
      loads[i] = LoadBetween(i + 1, ends_[i], r, draws) + entries[i].curve.At(r, ends_[i]);
    }
    // Of those that leave together, the first has the load of all.
    for (std::uint32_t i = 1; i < size; ++i) {
      if (ends_[i] == ends_[i - 1]) loads[i] = loads[i - 1];
    }
  }
}

void LoadProfile::Insert(const DemandCurve& curve, TenantSlot slot, const RepetitionDraws& draws) {
  const std::uint32_t position = LeavingUntil(curve.end);
  const auto grown = static_cast<std::uint32_t>(
      std::lower_bound(ends_, ends_ + position, curve.growth_end) - ends_);
  PerResource<Load> own;
  for (const DemandResource r : kAllDemandResources) {
    Load* const loads = loads_[r];
    for (std::uint32_t i = 0; i < grown; ++i) loads[i] += curve.At(r, ends_[i]);
    const Load maximum = curve.Maximum(r);
    for (std::uint32_t i = grown; i < position; ++i) loads[i] += maximum;
    const bool leaves_with_another = position > 0 && ends_[position - 1] == curve.end;
    own[r] = leaves_with_another
                 ? loads[position - 1]
                 : LoadBetween(position, curve.end, r, draws) + curve.At(r, curve.end);
  }
  OpenGap(position);
  ends_[position] = curve.end;
  growth_ends_[position] = curve.growth_end;
  slots_[position] = slot;
  for (const DemandResource r : kAllDemandResources) loads_[r][position] = own[r];
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
  if (*size_ == 0) return {};
  const Load* const greatest = std::max_element(loads, loads + *size_);
  return {*greatest, ends_[greatest - loads]};
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
         LoadBetween(position, added.end, resource, draws) + own >= threshold;
}

std::uint32_t LoadProfile::LeavingUntil(Step moment) const {
  return static_cast<std::uint32_t>(std::upper_bound(ends_, ends_ + *size_, moment) - ends_);
}

Load LoadProfile::GrowthUntilEndAt(std::uint32_t position, Step moment, DemandResource resource,
                                   const RepetitionDraws& draws) const {
  if (resource == DemandResource::kCpu) return 0;
  Load growth = 0;
  for (std::uint32_t i = position; i < *size_; ++i) {
    if (growth_ends_[i] <= moment) continue;
    const DemandCurve curve = draws.Curve(slots_[i]);
    growth += curve.At(resource, ends_[position]) - curve.At(resource, moment);
  }
  return growth;
}

Load LoadProfile::LoadBetween(std::uint32_t position, Step moment, DemandResource resource,
                              const RepetitionDraws& draws) const {
  if (position == *size_) return 0;
  return loads_[resource][position] - GrowthUntilEndAt(position, moment, resource, draws);
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
