#include <deque>
#include <map>

#include "store/observations.h"

namespace berth {
namespace {

class ObservationsInMemory final : public Observations {
 public:
  explicit ObservationsInMemory(std::size_t entries_max) : entries_max_(entries_max) {}

  Status Write(std::span<const Observation> entries) override {
    for (const Observation& entry : entries) {
      const auto [at, first] = values_.insert_or_assign(entry.key, entry.value);
      if (first) oldest_.push_back(at);
    }
    while (oldest_.size() > entries_max_) {
      values_.erase(oldest_.front());
      oldest_.pop_front();
    }
    return {};
  }
  Status Sync() override { return {}; }

  Result<std::optional<std::string>> Get(std::string_view key) const override {
    const auto found = values_.find(key);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
  }

  Status Scan(std::string_view from, std::string_view to, const Visit& visit) const override {
    for (auto at = values_.lower_bound(from); at != values_.end() && at->first < to; ++at) {
      if (!visit(at->first, at->second)) break;
    }
    return {};
  }

 private:
  using Values = std::map<std::string, std::string, std::less<>>;

  const std::size_t entries_max_;
  Values values_;
  std::deque<Values::iterator> oldest_;  // In the order in which they were first written.
};

}  // namespace

std::unique_ptr<Observations> NewMemoryObservations(std::size_t entries_max) {
  return std::make_unique<ObservationsInMemory>(entries_max);
}

}  // namespace berth
