// The etcd store's own values; those it shares with the RocksDB store are in format_test.cc.
#include "store/etcd/layout.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(EtcdLayout, KeysAreReadableAndSort) {
  const EtcdKeys keys("z");
  EXPECT_EQ(keys.OfLog(Revision{42}), "z/log/00000000000000000042");
  EXPECT_EQ(keys.LogRevision(keys.OfLog(Revision{42})), Revision{42});
  EXPECT_LT(keys.OfLog(Revision{9}), keys.OfLog(Revision{10}));
  EXPECT_EQ(keys.OfDecision({"a0", 7}), "z/decision/a0/00000000000000000007");
  EXPECT_EQ(keys.OfRecord(KeyOf(RecordKind::kService, "web")), "z/record/service/web");
  for (const char* other : {"z/head", "z/log/", "z/log/1x", "y/log/1", ""}) {
    EXPECT_FALSE(keys.LogRevision(other).has_value()) << other;
  }
  // One watch covers both.
  EXPECT_LT(keys.Head(), keys.OfLog(Revision{}));
  EXPECT_LT(keys.OfLog(Revision{UINT64_MAX}), keys.PastLog());
  EXPECT_LT(keys.PastLog(), keys.Opened());
}

TEST(EtcdLayout, HeadsComeBack) {
  EtcdHead head;
  head.stored = {.revision = Revision{7}, .at = TimeFromMicros(9), .log_start = Revision{3}};
  head.touched = Revision{5};
  const EtcdHead back = DecodeEtcdHead(Encode(head)).value();
  EXPECT_EQ(back.stored.revision, Revision{7});
  EXPECT_EQ(back.stored.at, TimeFromMicros(9));
  EXPECT_EQ(back.stored.log_start, Revision{3});
  EXPECT_EQ(back.touched, Revision{5});
}

TEST(EtcdLayout, LogEntriesComeBackWithWhoWroteThemAndWhatTheyTouched) {
  Committed committed = {.revision = Revision{7}, .at = TimeFromMicros(9), .updates = {}};
  const Tenant tenant = {.name = TenantId("t"), .quota = std::nullopt};
  committed.updates.push_back(
      {.key = KeyOf(Record(tenant)), .record = tenant, .revision = Revision{7}});
  MachineState machine;
  machine.record.name = MachineId("m0");
  machine.revision = Revision{6};
  const Origin origin = {.writer = 300, .transaction = 2};
  const LogEntry back = DecodeLogEntry(Encode(committed, origin, {&machine})).value();
  EXPECT_EQ(back.committed->revision, Revision{7});
  EXPECT_EQ(back.committed->updates.size(), 1U);
  EXPECT_EQ(back.origin, origin);
  ASSERT_EQ(back.touched.size(), 1U);
  EXPECT_EQ(back.touched[0].machine, MachineId("m0"));
  EXPECT_EQ(back.touched[0].revision, Revision{6});
}

TEST(EtcdLayout, ServicesComeBackWithTheirInstances) {
  ServiceState service;
  service.record.name = "web";
  service.own_revision = Revision{4};
  for (std::uint32_t i = 0; i < 3; ++i) {
    KeptInstance instance;
    instance.id = {"web", i};
    instance.machine = MachineId("m0");
    instance.revision = Revision{5 + i};
    service.instances.push_back(instance);
  }
  const std::string bytes = Encode(service);
  const std::vector<Update> updates = DecodeService(bytes).value();
  ASSERT_EQ(updates.size(), 4U);
  EXPECT_EQ(std::get<Service>(*updates[0].record), service.record);
  EXPECT_EQ(updates[0].revision, Revision{4});
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(std::get<Instance>(*updates[i + 1].record), service.instances[i]);
    EXPECT_EQ(updates[i + 1].revision, service.instances[i].revision);
    EXPECT_EQ(updates[i + 1].key, KeyOf(service.instances[i].id));
  }
  EXPECT_FALSE(DecodeService("").ok());
  EXPECT_FALSE(DecodeService(bytes.substr(0, bytes.size() - 1)).ok());
}

}  // namespace
}  // namespace berth
