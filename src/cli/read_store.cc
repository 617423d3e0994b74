#include "cli/read_store.h"

#include <algorithm>
#include <tuple>

#include "berth/engine.h"
#include "cli/store_name.h"
#include "store/open.h"

namespace berth {

StoreReader::StoreReader(std::unique_ptr<Store> store)
    : store_(std::move(store)), bridge_(*store_, executor_) {}

Result<std::unique_ptr<StoreReader>> StoreReader::Open(std::string_view given) {
  BERTH_TRY(const std::string name, StoreName(given));
  BERTH_TRY(std::unique_ptr<Store> store, OpenStore(name, {.retention = {}, .must_exist = true}));
  std::unique_ptr<StoreReader> reader(new StoreReader(std::move(store)));
  BERTH_RETURN_IF_ERROR(reader->ReadAll());
  return reader;
}

Status StoreReader::ReadAll() {
  Result<std::shared_ptr<const Inventory>> answer =
      Status(Code::kInternal, "the store did not answer");
  bridge_.Read(executor_,
               [&](Result<std::shared_ptr<const Inventory>> read) { answer = std::move(read); });
  bridge_.Settle();
  if (!answer.ok()) return answer.status();
  inventory_ = std::move(answer).value();
  return {};
}

Result<Decision> StoreReader::ReadDecision(const DecisionId& id) {
  Result<Decision> answer = Status(Code::kInternal, "the store did not answer");
  bridge_.ReadDecision(id, executor_, [&](Result<Decision> read) { answer = std::move(read); });
  bridge_.Settle();
  return answer;
}

std::vector<Decision> StoreReader::LatestDecisions(std::size_t most) {
  std::vector<Decision> decisions;
  for (const auto& [agent, last] : inventory_->decisions()) {
    // Numbers of decisions that lost to others are skipped, so one missing does not end the walk;
    // many in a row mean that the log begins there.
    constexpr int kMissingMax = 100;
    int missing = 0;
    std::size_t taken = 0;
    for (std::uint64_t n = last; n > 0 && taken < most && missing < kMissingMax; --n) {
      Result<Decision> read = ReadDecision({agent, n});
      if (!read.ok()) {
        ++missing;
        continue;
      }
      missing = 0;
      ++taken;
      decisions.push_back(std::move(read).value());
    }
  }
  const auto later = [](const Decision& a, const Decision& b) {
    return std::tie(b.seen, b.at, b.id) < std::tie(a.seen, a.at, a.id);
  };
  std::ranges::sort(decisions, later);
  if (decisions.size() > most) decisions.resize(most);
  return decisions;
}

}  // namespace berth
