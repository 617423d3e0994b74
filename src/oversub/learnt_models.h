// Models of instances that ended here, beside those that were given: the newest of each type and
// role, so that what is learnt stays bounded and follows the times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "berth/status.h"
#include "oversub/trace_library.h"

namespace berth {

class LearntModels {
 public:
  static constexpr std::size_t kNewestKept = 1000;  // Of each type and role.

  // Null: none were given.
  explicit LearntModels(std::shared_ptr<const TraceLibrary> given) : given_(std::move(given)) {}

  // Its class is set here. The oldest of its type and role goes when there are too many.
  void Add(const std::string& type, DemandModel model);
  std::uint64_t size() const { return size_; }

  // All of them: those given, then those learnt, by type and role and in the order in which they
  // came. A type of which there are too many to number is left out.
  std::shared_ptr<const TraceLibrary> Library() const;

  // Those of one type and role, the oldest first, to be kept; and back. What is damaged is an
  // error.
  std::string Encode(const std::string& type, TenantRole role) const;
  Status Restore(std::string_view bytes, std::string_view where);

 private:
  using Kind = std::pair<std::string, TenantRole>;

  std::shared_ptr<const TraceLibrary> given_;
  std::map<Kind, std::deque<DemandModel>> learnt_;
  std::uint64_t size_ = 0;
};

}  // namespace berth
