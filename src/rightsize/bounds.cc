#include "rightsize/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rightsize/size_text.h"

namespace berth {
namespace {

class Bounding {
 public:
  Bounding(Resource resource, const SizeAdvice& advice) : resource_(resource), advice_(advice) {}

  void AddHeadroom(double share) {
    if (share <= 0) return;
    const auto more = [&](std::int64_t amount) {
      return static_cast<std::int64_t>(std::ceil(static_cast<double>(amount) * (1 + share)));
    };
    advice_ = {more(advice_.target), more(advice_.lower), more(advice_.upper)};
    Note(fmt::format("{:.0f}% added for fail-over", 100 * share));
  }
  void RoundUp() {
    advice_ = {RoundedSize(resource_, advice_.target), RoundedSize(resource_, advice_.lower),
               RoundedSize(resource_, advice_.upper)};
  }
  void AtLeast(std::int64_t least, std::string_view what) {
    if (advice_.target < least) Note(fmt::format("raised from {} to {}", Target(), what));
    advice_ = {std::max(advice_.target, least), std::max(advice_.lower, least),
               std::max(advice_.upper, least)};
  }
  void AtMost(std::int64_t most, std::string_view what) {
    if (advice_.target > most) {
      cut_ = true;
      Note(fmt::format("cut from {} to {}; {}", Target(), what,
                       resource_ == Resource::kCpu ? "it will be slowed down"
                                                   : "it may be killed for want of memory"));
    }
    advice_ = {std::min(advice_.target, most), std::min(advice_.lower, most),
               std::min(advice_.upper, most)};
  }

  BoundedAdvice Take() && { return {advice_, std::move(notes_), cut_}; }

 private:
  std::string Target() const { return FormatSize(resource_, advice_.target); }
  void Note(std::string note) { notes_.push_back(std::move(note)); }

  Resource resource_;
  SizeAdvice advice_;
  std::vector<std::string> notes_;
  bool cut_ = false;
};

}  // namespace

BoundedAdvice ApplyBounds(Resource resource, const SizeAdvice& advice, std::int64_t now,
                          const SizeBounds& bounds) {
  const auto amount = [&](std::int64_t value) { return FormatAmount(resource, value); };
  Bounding bounding(resource, advice);
  bounding.AddHeadroom(bounds.headroom);
  bounding.RoundUp();
  if (bounds.killed_with) {
    constexpr double kMoreAfterKill = 1.2;
    const double needs = kMoreAfterKill * static_cast<double>(*bounds.killed_with);
    const std::int64_t least = RoundedSize(resource, static_cast<std::int64_t>(std::ceil(needs)));
    bounding.AtLeast(least, fmt::format("{}: it was killed for want of memory with {}",
                                        amount(least), amount(*bounds.killed_with)));
  }
  if (bounds.grow_only && now > 0) {
    bounding.AtLeast(now, fmt::format("{}, what it has: it may only grow", amount(now)));
  }
  if (bounds.counted_by) {
    bounding.AtLeast(*bounds.counted_by, fmt::format("{}, by which its replicas are counted",
                                                     amount(*bounds.counted_by)));
  }
  if (bounds.min) bounding.AtLeast(*bounds.min, fmt::format("its least, {}", amount(*bounds.min)));
  if (bounds.max) bounding.AtMost(*bounds.max, fmt::format("its most, {}", amount(*bounds.max)));
  if (bounds.machine) {
    bounding.AtMost(*bounds.machine,
                    fmt::format("the largest machine, {}", amount(*bounds.machine)));
  }
  if (bounds.quota) {
    bounding.AtMost(*bounds.quota, fmt::format("what the quota leaves, {}", amount(*bounds.quota)));
  }
  return std::move(bounding).Take();
}

}  // namespace berth
