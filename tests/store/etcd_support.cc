#include "etcd_support.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace berth {

EtcdOptions EtcdAt(const std::string& endpoints) {
  EtcdOptions options;
  Result<EtcdAddress> address = ParseEtcdAddress(endpoints + "/z");
  EXPECT_TRUE(address.ok()) << address.status().message();
  options.address = std::move(address).value();
  return options;
}

std::unique_ptr<EtcdStore> OpenEtcd(const EtcdOptions& options) {
  Result<std::unique_ptr<EtcdStore>> opened = EtcdStore::Open(options);
  EXPECT_TRUE(opened.ok()) << opened.status().message();
  return std::move(opened).value();
}

Follows::Follows(Store& store, Revision from)
    : last_(from), watch_(store.WatchFrom(from, mailbox_, [this](const WatchEvent& event) {
        if (event.committed == nullptr) {
          compacted_ = event.compacted;
          return;
        }
        EXPECT_EQ(event.committed->revision, Next(last_));
        last_ = event.committed->revision;
      })) {}

void Follows::ExpectUpTo(Revision last) {
  EXPECT_TRUE(mailbox_.RunUntil([&] { return last_ >= last || compacted_ != Revision{}; }));
  EXPECT_EQ(last_, last);
}

Revision Follows::AwaitCompacted() {
  EXPECT_TRUE(mailbox_.RunUntil([&] { return compacted_ != Revision{}; }));
  return compacted_;
}

ChangeSet KeyedCreate(const std::string& service, const std::string& agent, Time now) {
  std::vector<Operation> operations = CreateOn(service, {"m0"});
  operations.emplace_back(Put{DecisionNumbered(agent, 1)});
  operations.emplace_back(Put{Idempotency{.key = service,
                                          .request_hash = 1,
                                          .decision = {agent, 1},
                                          .expires = now + std::chrono::hours(1)}});
  return ChangeOf(std::move(operations), Revision{}, now);
}

void ExpectSound(Store& store, const Acknowledged& acknowledged) {
  EXPECT_EQ(FindProblems(store, acknowledged), std::vector<std::string>());
}

void ExpectSame(const Inventory& a, const Inventory& b) {
  EXPECT_EQ(a.revision(), b.revision());
  EXPECT_TRUE(SameUpdates(SortedRecords(a), SortedRecords(b)));
  EXPECT_EQ(a.decisions(), b.decisions());
}

}  // namespace berth
