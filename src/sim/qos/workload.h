// What a QoS rehearsal runs: requests in the order in which they are admitted, and hosts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "berth/resources.h"
#include "berth/status.h"
#include "berth/time.h"

namespace berth {

// Shares of the largest host, as traces have them, in so many parts. Needs are rounded up, what
// hosts have down.
inline constexpr std::int64_t kQosShareParts = 1'000'000;

// "key=value", sorted by key.
using QosAttributes = std::vector<std::pair<std::string, std::string>>;

struct QosRequest {
  Time at;
  std::uint64_t task = 0;
  std::uint64_t job = 0;
  Duration duration{};  // What it must run, allocations not counted.
  Resources demand;
  std::uint32_t klass = 0;    // An index into the classes.
  bool apart = false;         // No two of its job on one host.
  QosAttributes constraints;  // What its host must have.
};

struct QosHost {
  std::string name;
  Resources capacity;
  QosAttributes attributes;
};

// A host that is away for a while.
struct QosOutage {
  std::uint32_t host = 0;  // Its place among the hosts.
  Time from;
  Time until;
};

class QosWorkload {
 public:
  virtual ~QosWorkload() = default;
  // Never earlier than the one before; none at the end.
  virtual Result<std::optional<QosRequest>> Next() = 0;
};

// A workload that is at hand, for tests and for small files.
class HeldQosWorkload final : public QosWorkload {
 public:
  explicit HeldQosWorkload(std::vector<QosRequest> requests) : requests_(std::move(requests)) {}
  Result<std::optional<QosRequest>> Next() override {
    if (next_ == requests_.size()) return std::optional<QosRequest>();
    return std::optional(requests_[next_++]);
  }

 private:
  std::vector<QosRequest> requests_;
  std::size_t next_ = 0;
};

}  // namespace berth
