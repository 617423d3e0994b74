#include <list>
#include <map>

#include "store/observations.h"

namespace berth {
namespace {

class ObservationsInMemory final : public Observations {
 public:
  explicit ObservationsInMemory(std::size_t entries_max) : entries_max_(entries_max) {}

  Status Write(std::span<const Observation> entries) override {
    for (const Observation& entry : entries) {
      const auto [at, first] = values_.try_emplace(entry.key);
      at->second.value = entry.value;
      if (first) {
        at->second.place = by_age_.insert(by_age_.end(), &at->first);
      } else {
        by_age_.splice(by_age_.end(), by_age_, at->second.place);
      }
    }
    while (values_.size() > entries_max_) Drop(values_.find(*by_age_.front()));
    return {};
  }
  Status Erase(std::span<const std::string> keys) override {
    for (const std::string& key : keys) {
      if (const auto found = values_.find(key); found != values_.end()) Drop(found);
    }
    return {};
  }
  Status Sync() override { return {}; }

  Result<std::optional<std::string>> Get(std::string_view key) const override {
    const auto found = values_.find(key);
    return found == values_.end() ? std::nullopt : std::optional(found->second.value);
  }

  Status Scan(std::string_view from, std::string_view to, const Visit& visit) const override {
    for (auto at = values_.lower_bound(from); at != values_.end() && at->first < to; ++at) {
      if (!visit(at->first, at->second.value)) break;
    }
    return {};
  }

 private:
  using ByAge = std::list<const std::string*>;
  struct Kept {
    std::string value;
    ByAge::iterator place{};
  };
  using Values = std::map<std::string, Kept, std::less<>>;

  void Drop(Values::iterator entry) {
    by_age_.erase(entry->second.place);
    values_.erase(entry);
  }

  const std::size_t entries_max_;
  Values values_;
  ByAge by_age_;  // The keys in the order in which they were last written.
};

}  // namespace

std::unique_ptr<Observations> NewMemoryObservations(std::size_t entries_max) {
  return std::make_unique<ObservationsInMemory>(entries_max);
}

}  // namespace berth
