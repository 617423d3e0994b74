#include "store/codec.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <vector>

#include "berth/rng.h"

namespace berth {
namespace {

class RandomRecords {
 public:
  explicit RandomRecords(std::uint64_t seed) : rng_(seed) {}

  Record OfKind(std::size_t kind) {
    switch (kind) {
      case 0:
        return AnyTenant();
      case 1:
        return InstanceType{AnyName<TypeId>(), Amounts(), List([&] { return AnyName<SkuId>(); }),
                            AnyLabels()};
      case 2:
        return AnyMachine();
      case 3:
        return AnyService();
      case 4:
        return AnyInstance();
      case 5:
        return PolicyText{Text()};
      case 6:
        return Lease{Text(), Text(), Number(), AnyTime()};
      case 7:
        return Idempotency{Text(), Number(), {Text(), Number()}, AnyTime()};
      default:
        return AnyDecision();
    }
  }

  // Small, middling and enormous numbers: every length of varint.
  std::uint64_t Number() { return rng_.Next() >> rng_.Below(64); }
  std::uint32_t Small() { return static_cast<std::uint32_t>(rng_.Next() >> (32 + rng_.Below(32))); }
  bool Flip() { return rng_.Below(2) == 0; }
  std::string Text() {
    std::string text;
    for (std::uint64_t i = rng_.Below(20); i > 0; --i) text += static_cast<char>(rng_.Below(256));
    return text;
  }
  Time AnyTime() { return TimeFromMicros(static_cast<std::int64_t>(Number())); }

 private:
  template <typename Make>
  std::vector<std::invoke_result_t<Make>> List(Make make) {
    std::vector<std::invoke_result_t<Make>> all;
    for (std::uint64_t i = rng_.Below(4); i > 0; --i) all.push_back(make());
    return all;
  }
  template <typename N>
  N AnyName() {
    return N(fmt::format("{:.{}}", "name-of-it", rng_.Below(10)));
  }
  Labels AnyLabels() {
    return List([&] { return std::pair(AnyName<LabelName>(), AnyName<LabelName>()); });
  }
  Resources Amounts() {
    Resources amounts;
    for (const Resource r : kAllResources) amounts[r] = static_cast<std::int64_t>(Number());
    return amounts;
  }
  Tenant AnyTenant() {
    return {AnyName<TenantId>(), Flip() ? std::optional(Amounts()) : std::nullopt};
  }
  Machine AnyMachine() {
    return {AnyName<MachineId>(), AnyName<DatacenterId>(),
            AnyName<ClusterId>(), AnyName<RowId>(),
            AnyName<RackId>(),    AnyName<DomainId>(),
            AnyName<SkuId>(),     Amounts(),
            AnyLabels(),          static_cast<Health>(rng_.Below(4))};
  }
  Service AnyService() {
    Service service;
    service.name = Text();
    service.tenant = AnyName<TenantId>();
    service.klass = AnyName<ClassId>();
    service.groups = List([&] {
      return InstanceGroup{AnyName<TypeId>(), AnyName<RoleId>(), Small()};
    });
    service.constraints = {
        AnyLabels(), Small(), Small(), Small(), Small(), static_cast<Scope>(rng_.Below(4)), Flip()};
    service.yield_whole = Flip();
    service.next_number = Small();
    return service;
  }
  Instance AnyInstance() {
    Instance instance;
    instance.id = {Text(), Small()};
    instance.type = AnyName<TypeId>();
    instance.role = AnyName<RoleId>();
    instance.machine = AnyName<MachineId>();
    instance.limit = Amounts();
    instance.state = static_cast<InstanceState>(rng_.Below(4));
    instance.timeline = {AnyTime(),
                         AnyTime(),
                         Duration(static_cast<std::int64_t>(Number())),
                         Duration(static_cast<std::int64_t>(Number())),
                         Small(),
                         Small(),
                         Small(),
                         Duration(static_cast<std::int64_t>(Number())),
                         Duration(static_cast<std::int64_t>(Number()))};
    return instance;
  }
  Decision AnyDecision() {
    Decision decision;
    decision.id = {Text(), Number()};
    decision.kind = static_cast<DecisionKind>(rng_.Below(8));
    decision.subject = Text();
    decision.at = AnyTime();
    decision.seen = Revision{Number()};
    decision.conflicts = Small();
    decision.arm = AnyName<ArmId>();
    decision.reason = static_cast<MoveReason>(rng_.Below(6));
    if (Flip()) decision.room_for = InstanceId{Text(), Small()};
    if (Flip()) decision.why = Text();
    decision.yielded = List([&] {
      return Yielded{Small(), Duration(static_cast<std::int64_t>(Number())),
                     Duration(-static_cast<std::int64_t>(Small()))};
    });
    decision.placed = List([&] {
      Placement placement{Small(), AnyName<MachineId>()};
      if (Flip()) placement.foreseen = Foreseen{Small(), Small(), Small(), Resource::kDisk};
      return placement;
    });
    decision.funnels = List([&] {
      return Funnel{
          AnyName<TypeId>(), AnyName<RoleId>(),
          Small(),           Small(),
          Small(),           List([&] { return FunnelStep{AnyName<RuleId>(), Flip(), Small()}; })};
    });
    if (Flip()) {
      decision.refusal =
          Refusal{AnyName<RuleId>(), Text(), static_cast<Cure>(rng_.Below(6)), List([&] {
                    return NearMiss{AnyName<MachineId>(), AnyName<RuleId>(), Text()};
                  })};
    }
    return decision;
  }

  Rng rng_;
};

constexpr std::size_t kKinds = std::variant_size_v<Record>;

class RecordCodec : public testing::TestWithParam<std::size_t> {};

TEST_P(RecordCodec, BringsBackWhatItWrote) {
  RandomRecords random(GetParam());
  for (int i = 0; i < 500; ++i) {
    const Record record = random.OfKind(GetParam());
    const Result<Record> back = DecodeRecord(Encode(record));
    ASSERT_TRUE(back.ok()) << back.status().message();
    ASSERT_TRUE(back.value() == record);
  }
}

// Cut anywhere it is either an error or a shorter but well-formed record: never the same one.
TEST_P(RecordCodec, SurvivesBeingCutAnywhere) {
  RandomRecords random(GetParam() + 100);
  for (int i = 0; i < 50; ++i) {
    const Record record = random.OfKind(GetParam());
    const std::string bytes = Encode(record);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const Result<Record> back = DecodeRecord(std::string_view(bytes).substr(0, size));
      EXPECT_FALSE(back.ok());
    }
  }
}

TEST_P(RecordCodec, SurvivesAnyByteBeingWrong) {
  RandomRecords random(GetParam() + 200);
  for (int i = 0; i < 50; ++i) {
    std::string bytes = Encode(random.OfKind(GetParam()));
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      const char was = bytes[at];
      bytes[at] = static_cast<char>(random.Number());
      (void)DecodeRecord(bytes).ok();
      (void)DecodeCommitted(bytes).ok();
      (void)DecodeStoredRecord(bytes).ok();
      bytes[at] = was;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryKind, RecordCodec, testing::Range(std::size_t{0}, kKinds));

TEST(Codec, SkipsFieldsThatItDoesNotKnow) {
  // A tenant (field 1) with its name, and a field 15 and a field 1000 of a later format.
  const std::string bytes = std::string("\x0a\x0a\x0a\x01t", 5) + std::string("\x78\x05", 2) +
                            std::string("\xc2\x3e\x02hi", 5);
  const Result<Record> tenant = DecodeRecord(bytes);
  ASSERT_TRUE(tenant.ok()) << tenant.status().message();
  EXPECT_EQ(std::get<Tenant>(tenant.value()).name, TenantId("t"));
}

TEST(Codec, RefusesWordsItDoesNotKnow) {
  // A machine whose health (field 10) is 77.
  EXPECT_FALSE(DecodeRecord(std::string("\x1a\x02\x50\x4d", 4)).ok());
  // A record of kind 14, and none at all.
  EXPECT_FALSE(DecodeRecord(std::string("\x72\x00", 2)).ok());
  EXPECT_FALSE(DecodeRecord("").ok());
}

TEST(Codec, BringsBackLogEntries) {
  RandomRecords random(7);
  for (int i = 0; i < 200; ++i) {
    Committed committed = {
        .revision = Revision{random.Number()}, .at = random.AnyTime(), .updates = {}};
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      const Record record = random.OfKind(kind);
      const bool removed = random.Flip();
      RecordKey key = KeyOf(record);
      if (key == RecordKey()) key.name = "t";
      committed.updates.push_back({.key = key,
                                   .record = removed ? std::nullopt : std::optional(record),
                                   .revision = committed.revision});
      if (!removed) committed.updates.back().key = KeyOf(record);
    }
    const std::string bytes = Encode(committed);
    const Result<Committed> back = DecodeCommitted(bytes);
    ASSERT_TRUE(back.ok()) << back.status().message();
    ASSERT_EQ(back.value().revision, committed.revision);
    ASSERT_EQ(back.value().at, committed.at);
    ASSERT_EQ(back.value().updates.size(), committed.updates.size());
    for (std::size_t u = 0; u < committed.updates.size(); ++u) {
      EXPECT_EQ(back.value().updates[u].key, committed.updates[u].key);
      EXPECT_TRUE(back.value().updates[u].record == committed.updates[u].record);
      EXPECT_EQ(back.value().updates[u].revision, committed.revision);
    }
    if (i > 10) continue;
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      (void)DecodeCommitted(std::string_view(bytes).substr(0, size)).ok();
    }
  }
}

TEST(Codec, BringsBackWhereTheStoreStands) {
  for (const std::uint64_t start : {std::uint64_t{0}, std::uint64_t{1}, UINT64_MAX}) {
    const StoredHead head = {
        .revision = Revision{start / 2}, .at = TimeFromMicros(-5), .log_start = Revision{start}};
    const Result<StoredHead> back = DecodeHead(Encode(head));
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(back.value().revision, head.revision);
    EXPECT_EQ(back.value().at, head.at);
    EXPECT_EQ(back.value().log_start, head.log_start);
  }
  EXPECT_EQ(DecodeNumber(EncodeNumber(0)).value(), 0U);
  EXPECT_EQ(DecodeNumber(EncodeNumber(UINT64_MAX)).value(), UINT64_MAX);
}

TEST(Codec, RemembersTheRevisionOfWhatWasRemoved) {
  const Result<StoredRecord> back =
      DecodeStoredRecord(Encode(StoredRecord{.revision = Revision{9}, .record = std::nullopt}));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back.value().revision, Revision{9});
  EXPECT_FALSE(back.value().record);
}

}  // namespace
}  // namespace berth
