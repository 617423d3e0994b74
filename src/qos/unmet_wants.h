// What kinds that found no place ask of a host, side by side, so that which of them a host might do
// for is asked of many at once. Never too strict: of a host's resources it looks at two.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "qos/availability.h"
#include "qos/request_table.h"

namespace berth {

// What a host has free, and what those of every class hold there.
struct HostRoom {
  struct Part {
    Wide first = 0;  // The key of who has most leeway.
    std::int64_t cpu = 0;
    std::int64_t memory = 0;
  };
  std::int64_t cpu = 0;
  std::int64_t memory = 0;
  std::vector<Part> parts;
};

class UnmetWants {
 public:
  explicit UnmetWants(std::size_t classes) : least_(classes) {}

  // The kind may fit where enough is free or held by classes of which anybody has at least so much.
  void Set(std::uint32_t kind, const Want& want, std::span<const Wide> least);
  // It is not asked about any more.
  void Clear(std::uint32_t kind);

  // Every kind that may fit there. Valid until the next call.
  std::span<const std::uint32_t> Find(const HostRoom& room);

 private:
  static constexpr std::size_t kAtOnce = 8;
  static constexpr std::uint32_t kNowhere = UINT32_MAX;
  // Of a class on the host asked about.
  struct Part {
    std::int64_t key = 0;
    std::int64_t cpu = 0;
    std::int64_t memory = 0;
  };

  std::uint32_t PlaceFor(std::uint32_t kind);
  void NoteThose(std::size_t first, const HostRoom& room);

  std::vector<std::uint32_t> place_of_;  // By kind.
  std::vector<std::uint32_t> kinds_;     // By place, without gaps,
  // as these are, that end with a whole number of times kAtOnce.
  std::vector<std::int64_t> cpu_;
  std::vector<std::int64_t> memory_;
  std::vector<std::vector<std::int64_t>> least_;  // By class, too.
  std::vector<Part> parts_;
  std::vector<std::uint32_t> found_;
};

}  // namespace berth
