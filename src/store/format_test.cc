// The stored format, byte by byte. When one of these fails, stores in the field no longer mean what
// they meant: raise the format version and convert, do not change the expectation.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "store/codec.h"
#include "store/keys.h"

namespace berth {
namespace {

std::string Hex(std::string_view bytes) {
  std::string hex;
  for (const char byte : bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return hex;
}

Resources Amounts() {
  Resources amounts;
  amounts[Resource::kCpu] = 1000;
  amounts[Resource::kMemory] = std::int64_t{1} << 30;
  amounts[Resource::kDisk] = 3;
  amounts[Resource::kNetwork] = 4;
  amounts[Resource::kGpu] = 5;
  return amounts;
}

TEST(StoredFormat, Tenant) {
  EXPECT_EQ(Hex(Encode(Tenant{.name = TenantId("t"), .quota = Amounts()})),
            "0a140a0174120f08d00f10808080800818062008280a");
}

TEST(StoredFormat, InstanceType) {
  EXPECT_EQ(Hex(Encode(InstanceType{.name = TypeId("ty"),
                                    .size = Amounts(),
                                    .skus = {SkuId("s")},
                                    .requires_labels = {{LabelName("k"), LabelName("v")}}})),
            "12200a027479120f08d00f10808080800818062008280a1a017322060a016b120176");
}

TEST(StoredFormat, Machine) {
  EXPECT_EQ(Hex(Encode(Machine{.name = MachineId("m"),
                               .datacenter = DatacenterId("d"),
                               .cluster = ClusterId("c"),
                               .row = RowId("r"),
                               .rack = RackId("k"),
                               .update_domain = DomainId("u"),
                               .sku = SkuId("s"),
                               .capacity = Amounts(),
                               .labels = {{LabelName("k"), LabelName("v")}},
                               .health = Health::kUpdating})),
            "1a300a016d1201641a01632201722a016b3201753a0173420f08d00f10808080800818062008280a"
            "4a060a016b1201765003");
}

TEST(StoredFormat, Service) {
  const Service service = {.name = "web",
                           .tenant = TenantId("t"),
                           .klass = ClassId("gold"),
                           .groups = {{.type = TypeId("ty"), .role = RoleId("p"), .count = 300}},
                           .constraints = {.labels = {{LabelName("k"), LabelName("v")}},
                                           .spread_racks = 2,
                                           .max_per_machine = 3,
                                           .max_per_rack = 4,
                                           .max_per_update_domain = 5,
                                           .within = Scope::kRow,
                                           .isolate = true},
                           .yield_whole = true,
                           .next_number = 301};
  EXPECT_EQ(Hex(Encode(service)),
            "22350a037765621201741a04676f6c64220a0a02747912017018ac022a1408021003180420032801"
            "32060a016b1201763805300138ad02");
}

TEST(StoredFormat, Instance) {
  const Instance instance = {.id = {"web", 7},
                             .type = TypeId("ty"),
                             .role = RoleId("p"),
                             .machine = MachineId("m"),
                             .limit = Amounts(),
                             .state = InstanceState::kRunning,
                             .timeline = {.created = TimeFromMicros(1),
                                          .since = TimeFromMicros(-2),
                                          .ran = Duration(3),
                                          .waited = Duration(4),
                                          .preemptions = 5,
                                          .failures = 6,
                                          .out_of_memory = 7}};
  EXPECT_EQ(Hex(Encode(instance)),
            "2a360a070a037765621007120274791a017022016d2a0f08d00f10808080800818062008280a3002"
            "3a0e0802100318062008280530063807");
}

TEST(StoredFormat, Policy) { EXPECT_EQ(Hex(Encode(PolicyText{"rules:"})), "32080a0672756c65733a"); }

TEST(StoredFormat, Lease) {
  EXPECT_EQ(
      Hex(Encode(Lease{.name = "l", .holder = "h", .epoch = 9, .expires = TimeFromMicros(10)})),
      "3a0a0a016c12016818092014");
}

TEST(StoredFormat, Idempotency) {
  EXPECT_EQ(Hex(Encode(Idempotency{.key = "k",
                                   .request_hash = 0x1234,
                                   .decision = {"a0", 17},
                                   .expires = TimeFromMicros(10)})),
            "42100a016b10b4241a060a02613010112014");
}

TEST(StoredFormat, Decision) {
  const Decision decision = {
      .id = {"a0", 17},
      .kind = DecisionKind::kWait,
      .subject = "web",
      .at = TimeFromMicros(11),
      .seen = Revision{12},
      .conflicts = 1,
      .placed = {{.instance = 2, .machine = MachineId("m")}},
      .evicted = {{.service = "x", .number = 3}},
      .funnels = {{.type = TypeId("ty"),
                   .role = RoleId("p"),
                   .instances = 3,
                   .clusters = 4,
                   .machines = 5,
                   .steps = {{.rule = RuleId("fits"), .validator = true, .left = 6}}}},
      .refusal =
          Refusal{.rule = RuleId("fits"),
                  .because = "b",
                  .cure = Cure::kRetry,
                  .nearest = {{.machine = MachineId("m"), .rule = RuleId("fits"), .lacks = "l"}}},
      .arm = ArmId("t"),
      .reason = MoveReason::kFragmentation,
      .room_for = InstanceId{.service = "y", .number = 4},
      .yielded = {}};
  EXPECT_EQ(Hex(Encode(decision)),
            "4a650a060a026130101110071a037765622016280c30013a05080212016d42190a02747912017018"
            "0320042805320a0a0466697473100118064a190a04666974731201621805220c0a016d1204666974"
            "731a016c52050a017810035a017460056a050a01791004");
}

// Added later: what lacks them reads as it did, so the format's version stays.
TEST(StoredFormat, FieldsOfPreemption) {
  Instance instance;
  instance.id = {"w", 1};
  instance.timeline.allocation = Duration(8);
  instance.timeline.overhead = Duration(9);
  EXPECT_EQ(Hex(Encode(instance)), "2a0f0a050a017710012a003a0440104812");
  Decision decision;
  decision.yielded = {{.to = 1, .spare = Duration(2), .left = Duration(-3)}};
  EXPECT_EQ(Hex(Encode(decision)), "4a0a0a007206080110041805");
}

TEST(StoredFormat, LogEntry) {
  const Committed committed = {
      .revision = Revision{5},
      .at = TimeFromMicros(6),
      .updates = {{.key = KeyOf(RecordKind::kTenant, "t"),
                   .record = Tenant{.name = TenantId("t"), .quota = {}},
                   .revision = Revision{5}},
                  {.key = KeyOf(InstanceId{"web", 3}), .record = {}, .revision = Revision{5}}}};
  EXPECT_EQ(Hex(Encode(committed)), "0805100c1a070a050a030a01741a0b1209080412037765621803");
}

TEST(StoredFormat, SmallValues) {
  EXPECT_EQ(Hex(Encode(StoredRecord{.revision = Revision{300},
                                    .record = Tenant{.name = TenantId("t"), .quota = {}}})),
            "08ac0212050a030a0174");
  EXPECT_EQ(Hex(Encode(StoredHead{
                .revision = Revision{9}, .at = TimeFromMicros(10), .log_start = Revision{2}})),
            "080910141802");
  EXPECT_EQ(Hex(EncodeNumber(300)), "08ac02");
  EXPECT_EQ(Hex(EncodeFormat(1)), "0801");
}

TEST(StoredFormat, Keys) {
  using namespace std::string_literals;
  EXPECT_EQ(keys::kFormat, "format");
  EXPECT_EQ(keys::kHead, "head");
  EXPECT_EQ(keys::OfRecord(KeyOf(RecordKind::kTenant, "t")), "record/tenant/t");
  EXPECT_EQ(keys::OfRecord(KeyOf(RecordKind::kType, "t")), "record/type/t");
  EXPECT_EQ(keys::OfRecord(KeyOf(RecordKind::kMachine, "m")), "record/machine/m");
  EXPECT_EQ(keys::OfRecord(KeyOf(RecordKind::kService, "s")), "record/service/s");
  EXPECT_EQ(keys::OfRecord(KeyOf(InstanceId{"s", 258})), "record/instance/s/\0\0\0\0\0\0\x01\x02"s);
  EXPECT_EQ(keys::OfRecord(KeyOf(RecordKind::kPolicy, "")), "record/policy/");
  EXPECT_EQ(keys::OfRecord(KeyOf(RecordKind::kLease, "l")), "record/lease/l");
  EXPECT_EQ(keys::OfRecord(KeyOf(RecordKind::kIdempotency, "a/b")), "record/idempotency/a/b");
  EXPECT_EQ(keys::OfTouched(MachineId("m")), "touched/m");
  EXPECT_EQ(keys::OfAgent("a0"), "agent/a0");
  EXPECT_EQ(keys::OfDecision({"a0", 258}), "decision/a0/\0\0\0\0\0\0\x01\x02"s);
  EXPECT_EQ(keys::OfLog(Revision{258}), "log/\0\0\0\0\0\0\x01\x02"s);
  EXPECT_EQ(keys::PastPrefix("log/"), "log0");
}

}  // namespace
}  // namespace berth
