#include "sim/distant_store.h"

#include <utility>

#include "berth/check.h"

namespace berth {
namespace {

class DistantWatch final : public Watch {
 public:
  DistantWatch(std::unique_ptr<Watch> watch, std::shared_ptr<bool> wanted)
      : watch_(std::move(watch)), wanted_(std::move(wanted)) {}
  ~DistantWatch() override { *wanted_ = false; }
  DistantWatch(const DistantWatch&) = delete;
  DistantWatch& operator=(const DistantWatch&) = delete;

 private:
  std::unique_ptr<Watch> watch_;
  std::shared_ptr<bool> wanted_;  // Whether events still on their way are.
};

}  // namespace

// At no distance at once: in the order of the store itself.
void DistantStore::Travel(Executor::Task arrive) {
  if (one_way_ == Duration()) return arrive();
  executor_.PostAt(executor_.now() + one_way_, std::move(arrive));
}

void DistantStore::Commit(ChangeSet change, Executor& reply_on, CommitDone done) {
  BERTH_CHECK(&reply_on == &executor_);
  auto answer = [this, done = std::move(done)](CommitReply reply) {
    committed_or_not_(reply);
    Travel([done, reply = std::move(reply)] { done(reply); });
  };
  auto sent = std::make_shared<ChangeSet>(std::move(change));
  Travel([this, sent, answer = std::move(answer)] {
    store_.Commit(std::move(*sent), executor_, answer);
  });
}

void DistantStore::Read(Executor& reply_on, SnapshotDone done) {
  BERTH_CHECK(&reply_on == &executor_);
  Travel([this, done = std::move(done)] {
    store_.Read(executor_, [this, done](const Result<std::shared_ptr<const Inventory>>& snapshot) {
      Travel([done, snapshot] { done(snapshot); });
    });
  });
}

std::unique_ptr<Watch> DistantStore::WatchFrom(Revision from, Executor& reply_on,
                                               OnEvent on_event) {
  BERTH_CHECK(&reply_on == &executor_);
  auto wanted = std::make_shared<bool>(true);
  auto arrive = std::make_shared<OnEvent>(std::move(on_event));
  std::unique_ptr<Watch> watch =
      store_.WatchFrom(from, executor_, [this, wanted, arrive](const WatchEvent& event) {
        Travel([wanted, arrive, event] {
          if (*wanted) (*arrive)(event);
        });
      });
  return std::make_unique<DistantWatch>(std::move(watch), std::move(wanted));
}

void DistantStore::ReadDecision(const DecisionId& id, Executor& reply_on, DecisionDone done) {
  BERTH_CHECK(&reply_on == &executor_);
  Travel([this, id, done = std::move(done)] {
    store_.ReadDecision(id, executor_, [this, done](const Result<Decision>& found) {
      Travel([done, found] { done(found); });
    });
  });
}

}  // namespace berth
