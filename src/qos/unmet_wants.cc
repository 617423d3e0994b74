#include "qos/unmet_wants.h"

#include <algorithm>
#include <array>
#include <limits>

namespace berth {
namespace {

constexpr std::int64_t kMoreThanAnyHas = std::numeric_limits<std::int64_t>::max() / 2;

// Shorter, and in the same order but for making equals of some: nobody is left out.
std::int64_t Shortened(Wide key) {
  constexpr Wide kMost = Wide{1} << 62;
  return static_cast<std::int64_t>(std::clamp(key >> 16, -kMost, kMost));
}

}  // namespace

std::uint32_t UnmetWants::PlaceFor(std::uint32_t kind) {
  if (place_of_.size() <= kind) place_of_.resize(kind + 1, kNowhere);
  if (place_of_[kind] != kNowhere) return place_of_[kind];
  place_of_[kind] = static_cast<std::uint32_t>(kinds_.size());
  kinds_.push_back(kind);
  if (kinds_.size() > cpu_.size()) {
    cpu_.resize(cpu_.size() + kAtOnce, kMoreThanAnyHas);
    memory_.resize(cpu_.size(), kMoreThanAnyHas);
    for (std::vector<std::int64_t>& least : least_) least.resize(cpu_.size(), 0);
  }
  return place_of_[kind];
}

void UnmetWants::Set(std::uint32_t kind, const Want& want, std::span<const Wide> least) {
  const std::uint32_t place = PlaceFor(kind);
  cpu_[place] = want.demand[Resource::kCpu];
  memory_[place] = want.demand[Resource::kMemory];
  for (std::size_t klass = 0; klass < least.size(); ++klass)
    least_[klass][place] = Shortened(least[klass]);
}

// The last goes to its place.
void UnmetWants::Clear(std::uint32_t kind) {
  if (kind >= place_of_.size() || place_of_[kind] == kNowhere) return;
  const std::uint32_t place = place_of_[kind];
  const std::size_t last = kinds_.size() - 1;
  kinds_[place] = kinds_[last];
  place_of_[kinds_[place]] = place;
  place_of_[kind] = kNowhere;
  kinds_.pop_back();
  cpu_[place] = cpu_[last];
  memory_[place] = memory_[last];
  for (std::vector<std::int64_t>& least : least_) least[place] = least[last];
  cpu_[last] = kMoreThanAnyHas;
}

void UnmetWants::NoteThose(std::size_t first, const HostRoom& room) {
  std::array<std::int64_t, kAtOnce> cpu{};
  std::array<std::int64_t, kAtOnce> memory{};
  cpu.fill(room.cpu);
  memory.fill(room.memory);
  for (std::size_t klass = 0; klass < parts_.size(); ++klass) {
    const Part part = parts_[klass];
    const std::int64_t* least = least_[klass].data() + first;
    for (std::size_t i = 0; i < kAtOnce; ++i) {
      cpu[i] += part.key >= least[i] ? part.cpu : 0;
      memory[i] += part.key >= least[i] ? part.memory : 0;
    }
  }
  std::array<std::int64_t, kAtOnce> spare{};  // Of the scarcer.
  for (std::size_t i = 0; i < kAtOnce; ++i)
    spare[i] = std::min(cpu[i] - cpu_[first + i], memory[i] - memory_[first + i]);
  for (std::size_t i = 0; i < kAtOnce; ++i) {
    if (spare[i] >= 0) found_.push_back(kinds_[first + i]);
  }
}

std::span<const std::uint32_t> UnmetWants::Find(const HostRoom& room) {
  found_.clear();
  parts_.clear();
  for (const HostRoom::Part& part : room.parts)
    parts_.push_back({Shortened(part.first), part.cpu, part.memory});
  for (std::size_t first = 0; first < kinds_.size(); first += kAtOnce) NoteThose(first, room);
  return found_;
}

}  // namespace berth
