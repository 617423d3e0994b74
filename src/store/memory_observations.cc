#include <map>

#include "store/observations.h"

namespace berth {
namespace {

class MemoryObservations final : public Observations {
 public:
  Status Write(std::span<const Observation> entries) override {
    for (const Observation& entry : entries) values_[entry.key] = entry.value;
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
  std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace

std::unique_ptr<Observations> NewMemoryObservations() {
  return std::make_unique<MemoryObservations>();
}

}  // namespace berth
