// What verifying finds: nothing in a store that only ever took commits, and in a copy broken in one
// way just that.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "random_changes.h"
#include "store/codec.h"
#include "store/database.h"
#include "store/keys.h"
#include "store/open.h"
#include "store/rocksdb_store.h"
#include "store/verify.h"
#include "support.h"

namespace berth {
namespace {

Verification VerifiedIn(const std::string& directory) {
  const auto contents = ContentsOf("rocksdb:" + directory);
  EXPECT_TRUE(contents.ok());
  Result<Verification> verified = VerifyStore(*contents.value());
  EXPECT_TRUE(verified.ok()) << verified.status().message();
  return verified.value();
}

// The sentences of all breaches.
std::vector<std::string> Breaches(const Verification& verified) {
  std::vector<std::string> sentences;
  for (const Check& check : verified.checks) {
    for (const Breach& breach : check.breaches) sentences.push_back(breach.sentence);
  }
  return sentences;
}

std::vector<std::string> Allowed(const Verification& verified) {
  std::vector<std::string> sentences;
  for (const Check& check : verified.checks) {
    for (const Breach& breach : check.allowed) sentences.push_back(breach.sentence);
  }
  return sentences;
}

class VerifyBroken : public ::testing::Test {
 protected:
  VerifyBroken() {
    const auto store = OpenStore("rocksdb:" + dir_.path().string());
    Commit(*store.value(), SmallFleet(3).operations);
    Machine apart = MachineNamed("far");
    apart.row = RowId("r2");
    Commit(*store.value(), {Put{apart}, Put{TenantNamed("u")}});
    std::vector<Operation> web = CreateOn("web", {"m0", "m1"});
    web.emplace_back(Put{DecisionNumbered("a0", 1)});
    web.emplace_back(Put{Lease{.name = "l", .holder = "h", .epoch = 0, .expires = {}}});
    Commit(*store.value(), web);
  }

  void Commit(Store& store, std::vector<Operation> operations) {
    const Revision seen = ReadAndWait(store, mailbox_)->revision();
    const CommitReply reply = CommitAndWait(store, mailbox_, ChangeOf(std::move(operations), seen));
    ASSERT_EQ(reply.outcome, CommitReply::Outcome::kCommitted)
        << (reply.violation ? reply.violation->because : "");
  }

  // Writes records as a commit that no validator saw.
  void Write(const std::vector<Record>& records) {
    std::vector<Update> updates;
    for (const Record& record : records) {
      updates.push_back({.key = KeyOf(record), .record = record, .revision = {}});
    }
    WriteUpdates(std::move(updates));
  }
  void WriteUpdates(std::vector<Update> updates) {
    RocksDbOptions options;
    options.directory = dir_.path();
    auto database = Database::Open(options);
    ASSERT_TRUE(database.ok()) << database.status().message();
    const Revision revision = Next(database.value()->head().revision);
    for (Update& update : updates) update.revision = revision;
    const auto committed = std::make_shared<const Committed>(Committed{
        .revision = revision, .at = database.value()->head().at, .updates = std::move(updates)});
    Inventory after;
    after.SetRevision(revision);
    const std::vector<std::shared_ptr<const Committed>> commits = {committed};
    ASSERT_TRUE(database.value()->Write(commits, after, 0).ok());
    database.value().reset();
    // The state after it may be none that could be built, so what it touched is written by hand.
    Tamper([&](rocksdb::DB& db) {
      for (const std::string_view machine : {"m0", "m1", "m2", "far"}) {
        db.Put(rocksdb::WriteOptions(), keys::OfTouched(MachineId(machine)),
               EncodeNumber(ToNumber(revision)));
      }
    });
  }

  // Changes the database behind everybody's back.
  void Tamper(const std::function<void(rocksdb::DB&)>& change) {
    rocksdb::DB* db = nullptr;
    ASSERT_TRUE(rocksdb::DB::Open(rocksdb::Options(), dir_.path(), &db).ok());
    const std::unique_ptr<rocksdb::DB> owned(db);
    change(*owned);
  }

  void ExpectBreach(const std::string& sentence) {
    EXPECT_EQ(Breaches(VerifiedIn(dir_.path())), std::vector<std::string>({sentence}));
  }

  static Instance Placed(const std::string& service, std::uint32_t number, std::string_view machine,
                         std::int64_t millicores = 1000) {
    Instance instance = InstanceOn(service, number, machine, millicores);
    instance.state = machine.empty() ? InstanceState::kPending : InstanceState::kPlaced;
    return instance;
  }

  testing::TempFolder dir_{testing::BinaryDir()};
  Mailbox mailbox_;
};

TEST_F(VerifyBroken, NothingIsWrongWithAWholeStore) {
  const Verification verified = VerifiedIn(dir_.path());
  EXPECT_EQ(Breaches(verified), std::vector<std::string>());
  EXPECT_TRUE(verified.holds());
  EXPECT_TRUE(verified.log_is_whole());
  EXPECT_EQ(verified.head.revision, Revision{3});
  for (const Check& check : verified.checks) {
    if (check.what == "idempotency keys" || check.what == "policy") continue;
    EXPECT_GT(check.looked_at, 0U) << check.what;
  }
}

TEST_F(VerifyBroken, NamesAnOverfullMachine) {
  Write({Placed("web", 0, "m0", 9000)});
  ExpectBreach("machine m0 has 9 cpu of 8 allocated; restore a backup from before revision 4");
}

TEST_F(VerifyBroken, AllowsWhatALaterPolicyMadeTooMuch) {
  Write({PolicyText{"oversubscription: {cpu: 200%}\n"}});
  Write({Placed("web", 0, "m0", 9000)});
  Write({PolicyText{"oversubscription: {cpu: 100%}\n"}});
  EXPECT_EQ(Allowed(VerifiedIn(dir_.path())),
            std::vector<std::string>({"machine m0 has 9 cpu of 8 allocated, which the "
                                      "policy allowed until revision 6"}));
}

TEST_F(VerifyBroken, NamesATenantOverItsQuota) {
  Write({Tenant{.name = TenantId("t"), .quota = Cpu(2000)}});
  Write({Placed("web", 0, "m0", 1500)});
  ExpectBreach("tenant t uses 2.5 cpu of 2; restore a backup from before revision 5");
}

TEST_F(VerifyBroken, AllowsWhatALaterQuotaMadeTooMuch) {
  Write({Tenant{.name = TenantId("t"), .quota = Cpu(1000)}});
  const Verification verified = VerifiedIn(dir_.path());
  EXPECT_EQ(Breaches(verified), std::vector<std::string>());
  EXPECT_EQ(Allowed(verified), std::vector<std::string>({"tenant t uses 2 cpu of 1, which its "
                                                         "quota allowed until revision 4"}));
}

TEST_F(VerifyBroken, NamesAMachineWhereIsolationIsBroken) {
  Service alone = ServiceNamed("alone", 1);
  alone.tenant = TenantId("u");
  alone.constraints.isolate = true;
  Write({alone, Placed("alone", 0, "m1")});
  ExpectBreach(
      "machine m1 holds instances of 2 tenants, but service alone asks for isolation; restore a "
      "backup from before revision 4");
}

TEST_F(VerifyBroken, NamesAServiceWithTooManyOnAMachine) {
  Service web = ServiceNamed("web", 2);
  web.constraints.max_per_machine = 1;
  Write({web, Placed("web", 0, "m1")});
  ExpectBreach(
      "service web has 2 instances on machine m1, at most 1 are allowed; restore a backup from "
      "before revision 4");
}

TEST_F(VerifyBroken, NamesAServiceThatIsNotSpread) {
  Service web = ServiceNamed("web", 2);
  web.constraints.spread_racks = 2;
  Write({web});
  ExpectBreach(
      "service web has 2 instances in rack dc/c/r/k, at most 1 are allowed; restore a backup from "
      "before revision 4");
}

TEST_F(VerifyBroken, NamesAServiceThatIsNotTogether) {
  Service web = ServiceNamed("web", 2);
  web.constraints.within = Scope::kRow;
  Write({web, Placed("web", 1, "far")});
  ExpectBreach(
      "service web must stay within one row and is in 2; restore a backup from before "
      "revision 4");
}

TEST_F(VerifyBroken, NamesAServiceThatIsNotWhole) {
  Write({ServiceNamed("web", 3)});
  ExpectBreach(
      "service web declares 3 instances of type 'small' in role 'primary' and has 2; restore a "
      "backup from before revision 4");
}

TEST_F(VerifyBroken, NamesAnInstanceWithoutItsMachine) {
  Write({Placed("web", 1, "gone")});
  ExpectBreach(
      "instance web/1 is on machine 'gone', which is not there; restore a backup from before "
      "revision 4");
}

TEST_F(VerifyBroken, NamesAnInstanceWithoutItsService) {
  Write({Placed("gone", 0, "m0")});
  ExpectBreach(
      "instance gone/0 belongs to a service that is not there; restore a backup from before "
      "revision 4");
}

TEST_F(VerifyBroken, NamesAnInstanceThatClaimsToRunNowhere) {
  Instance nowhere = Placed("web", 1, "");
  nowhere.state = InstanceState::kRunning;
  Write({nowhere});
  ExpectBreach(
      "instance web/1 is running and has no machine; restore a backup from before "
      "revision 4");
}

TEST_F(VerifyBroken, NamesWhatIsOfAMissingTypeClassOrTenant) {
  Service web = ServiceNamed("web", 2);
  web.klass = ClassId("lead");
  Write({web});
  ExpectBreach(
      "service web is of class 'lead', which the policy lacks; restore a backup from "
      "before revision 4");
  WriteUpdates({{.key = KeyOf(RecordKind::kType, "small"), .record = {}, .revision = {}},
                {.key = KeyOf(RecordKind::kTenant, "t"), .record = {}, .revision = {}}});
  EXPECT_EQ(Breaches(VerifiedIn(dir_.path())).size(), 5U);
}

TEST_F(VerifyBroken, NamesAClusterOfTwoSkus) {
  Machine other = MachineNamed("m2");
  other.sku = SkuId("other");
  Write({other});
  ExpectBreach(
      "machine m2 is a 'other' in cluster c of 's'; restore a backup from before "
      "revision 4");
}

TEST_F(VerifyBroken, NamesRecordsThatMakeNoSense) {
  Machine machine = MachineNamed("m2", -5);
  Write({machine, Lease{.name = "l", .holder = "h", .epoch = 0, .expires = {}},
         Idempotency{.key = "k", .request_hash = 1, .decision = {}, .expires = {}},
         PolicyText{"classes: 3\n"}, TenantNamed("no name")});
  const std::vector<std::string> found = Breaches(VerifiedIn(dir_.path()));
  ASSERT_EQ(found.size(), 5U);
  EXPECT_TRUE(found[0].starts_with("tenant no name has a name that is none")) << found[0];
  EXPECT_TRUE(found[1].starts_with("machine m2 has a capacity that is negative")) << found[1];
  EXPECT_TRUE(found[2].starts_with("lease l has no epoch")) << found[2];
  EXPECT_TRUE(found[3].starts_with("idempotency key k names no decision")) << found[3];
  EXPECT_TRUE(found[4].starts_with("policy cannot be read (policy:1:")) << found[4];
}

TEST_F(VerifyBroken, NamesAGapInTheLog) {
  Tamper([](rocksdb::DB& db) { db.Delete(rocksdb::WriteOptions(), keys::OfLog(Revision{2})); });
  const std::vector<std::string> found = Breaches(VerifiedIn(dir_.path()));
  ASSERT_EQ(found.size(), 3U);  // And the two records that only that revision names.
  EXPECT_EQ(found[0], "the log lacks revision 2; restore a backup");
}

TEST_F(VerifyBroken, NamesARecordThatTheLogDoesNotLeadTo) {
  Tamper([](rocksdb::DB& db) {
    Tenant tenant = TenantNamed("t");
    tenant.quota = Cpu(99'000);
    (*tenant.quota)[Resource::kMemory] = kUnlimited;
    db.Put(rocksdb::WriteOptions(), "record/tenant/t",
           Encode(StoredRecord{.revision = Revision{1}, .record = tenant}));
  });
  ExpectBreach("tenant t is not as the log left it; restore a backup from before revision 1");
}

TEST_F(VerifyBroken, NamesADecisionThatIsThereTwice) {
  Write({DecisionNumbered("a0", 1)});
  const std::vector<std::string> found = Breaches(VerifiedIn(dir_.path()));
  ASSERT_EQ(found.size(), 2U);  // And what leads to the first of them.
  EXPECT_EQ(found[1],
            "decision a0-1 is in the log twice, again in revision 4; restore a backup "
            "from before revision 4");
}

TEST_F(VerifyBroken, NamesAnAgentThatWouldRepeatItself) {
  Tamper([](rocksdb::DB& db) { db.Delete(rocksdb::WriteOptions(), keys::OfAgent("a0")); });
  ExpectBreach(
      "agent a0 would continue after decision 0, but a0-1 is in the log; restore a "
      "backup");
}

TEST_F(VerifyBroken, NamesADecisionThatCannotBeFound) {
  Tamper([](rocksdb::DB& db) {
    db.Delete(rocksdb::WriteOptions(), keys::OfDecision({"a0", 1}));
    db.Put(rocksdb::WriteOptions(), keys::OfDecision({"a0", 7}), EncodeNumber(2));
  });
  const std::vector<std::string> found = Breaches(VerifiedIn(dir_.path()));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NE(found[0].find("does not lead to revision 3 of the log"), std::string::npos);
  EXPECT_NE(found[1].find("leads to no decision of the log"), std::string::npos);
}

TEST_F(VerifyBroken, NamesAMachineThatForgotWhatHappenedOnIt) {
  Tamper([](rocksdb::DB& db) {
    db.Delete(rocksdb::WriteOptions(), keys::OfTouched(MachineId("m1")));
  });
  ExpectBreach(
      "machine m1 was last changed at revision 1, but its instance web/1 at 3; restore a "
      "backup from before revision 3");
}

TEST_F(VerifyBroken, NamesEveryKeyThatCannotBeRead) {
  Tamper([](rocksdb::DB& db) {
    db.Put(rocksdb::WriteOptions(), "record/machine/m2", "\xff\xff");
    db.Put(rocksdb::WriteOptions(), keys::OfLog(Revision{1}), "\xff\xff");
  });
  const std::vector<std::string> found = Breaches(VerifiedIn(dir_.path()));
  ASSERT_GE(found.size(), 2U);
  EXPECT_TRUE(found[0].starts_with("key record/machine/m2: malformed record")) << found[0];
  EXPECT_TRUE(found[1].starts_with("key log/???????\?: malformed record")) << found[1];
}

class VerifyRandom : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(VerifyRandom, AcceptsWhateverWasCommitted) {
  const testing::TempFolder dir(testing::BinaryDir());
  RocksDbOptions options;
  options.directory = dir.path();
  options.sync = false;  // Nothing fails here.
  options.retention.revisions = GetParam() % 2 == 0 ? 300 : 1'000'000;
  {
    const auto store = RocksDbStore::Open(options);
    ASSERT_TRUE(store.ok());
    Mailbox mailbox;
    Inventory view;
    const auto watch = store.value()->WatchFrom(
        Revision{}, mailbox, [&](const WatchEvent& event) { view.Apply(*event.committed); });
    RandomChanges changes(GetParam(), "a0");
    for (int i = 0; i < 2000; ++i) {
      mailbox.Advance(Duration(500));
      CommitAndWait(*store.value(), mailbox, changes.Next(view, mailbox.now()));
    }
  }
  const Verification verified = VerifiedIn(dir.path());
  EXPECT_EQ(Breaches(verified), std::vector<std::string>());
  EXPECT_EQ(verified.log_is_whole(), GetParam() % 2 == 1);
}

INSTANTIATE_TEST_SUITE_P(Seeds, VerifyRandom, ::testing::Values(1, 2, 3, 4));

}  // namespace
}  // namespace berth
