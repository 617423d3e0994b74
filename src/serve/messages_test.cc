#include "serve/messages.h"

#include <gtest/gtest.h>

#include "berth/rng.h"
#include "serve/http_route.h"
#include "support/random_fleet.h"

namespace berth {
namespace {

// Through the message, and back through its bytes.
template <typename Message, typename Record, typename Parse>
void ExpectSameBack(const Record& record, Parse parse) {
  Message message;
  ToMessage(record, message);
  Message sent;
  ASSERT_TRUE(sent.ParseFromString(message.SerializeAsString()));
  const Result<Record> back = parse(sent);
  ASSERT_TRUE(back.ok()) << back.status().message() << "\n" << ToJson(message);
  EXPECT_TRUE(back.value() == record) << ToJson(message);
}

class Messages : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Seeds, Messages, ::testing::Range<std::uint64_t>(1, 21));

TEST_P(Messages, ARecordComesBackAsItWas) {
  Rng rng(GetParam());
  std::vector<Record> records = testing::RandomTypesAndTenants(rng);
  for (const Record& machine : testing::RandomMachines(rng, false)) records.push_back(machine);
  for (const Record& record : records) {
    if (const auto* tenant = std::get_if<Tenant>(&record)) {
      ExpectSameBack<v1::Tenant>(*tenant, ToTenant);
    } else if (const auto* type = std::get_if<InstanceType>(&record)) {
      ExpectSameBack<v1::InstanceType>(*type, ToType);
    } else {
      ExpectSameBack<v1::Machine>(std::get<Machine>(record), ToMachine);
    }
  }
  for (int i = 0; i < 20; ++i) {
    Service service = testing::RandomService(rng, "web-" + std::to_string(i));
    service.klass = testing::RandomClass(rng);
    service.yield_whole = rng.Below(2) == 0;
    ExpectSameBack<v1::Service>(service, ToService);
  }
}

TEST_P(Messages, AmountsComeBackUpToTheLargest) {
  Rng rng(GetParam());
  for (int i = 0; i < 50; ++i) {
    Tenant tenant{.name = TenantId("acme"), .quota = Resources()};
    for (const Resource r : kAllResources) {
      const std::uint64_t kind = rng.Below(4);
      (*tenant.quota)[r] = kind == 0   ? kUnlimited
                           : kind == 1 ? kAmountMax
                                       : static_cast<std::int64_t>(rng.Below(kAmountMax));
    }
    ExpectSameBack<v1::Tenant>(tenant, ToTenant);
  }
}

TEST(MessagesToRecords, NameTheFieldThatIsWrong) {
  (void)TenantId("acme");
  (void)TypeId("small");
  (void)ClassId("gold");
  v1::Service good;
  good.set_name("web");
  good.set_tenant("acme");
  good.add_groups()->set_type("small");
  good.mutable_groups(0)->set_count(1);
  EXPECT_TRUE(ToService(good).ok());

  const auto error = [&](auto change) {
    v1::Service service = good;
    change(service);
    const Result<Service> read = ToService(service);
    EXPECT_FALSE(read.ok());
    return read.status().message();
  };
  const auto says = [](const std::string& message, std::string_view field) {
    EXPECT_NE(message.find(field), std::string::npos) << message;
  };
  says(error([](auto& s) { s.set_name("a/b"); }), "service.name 'a/b'");
  says(error([](auto& s) { s.set_tenant("nobody-yet"); }), "service.tenant");
  says(error([](auto& s) { s.set_class_("no-class-yet"); }), "service.class");
  says(error([](auto& s) { s.clear_groups(); }), "groups is empty");
  says(error([](auto& s) { s.mutable_groups(0)->set_count(2001); }), "2001 instances");
  says(error([](auto& s) { s.mutable_groups(0)->set_role("a b"); }), "groups.role");
  says(error([](auto& s) { s.mutable_constraints()->set_max_per_rack(2001); }),
       "constraints.max_per_rack");
  says(error([](auto& s) { s.mutable_constraints()->set_max_per_update_domain(2001); }),
       "constraints.max_per_update_domain");
  says(error([](auto& s) { s.mutable_constraints()->set_within(static_cast<v1::Scope>(9)); }),
       "constraints.within");
  // Whoever creates a service coins no names.
  EXPECT_FALSE(TenantId::Known("nobody-yet"));
  EXPECT_FALSE(ClassId::Known("no-class-yet"));
}

TEST(MessagesToRecords, CountsDoNotOverflow) {
  (void)TypeId("small");
  google::protobuf::RepeatedPtrField<v1::Group> groups;
  for (int i = 0; i < 3; ++i) {
    v1::Group& group = *groups.Add();
    group.set_type("small");
    group.set_count(UINT32_MAX);
  }
  EXPECT_EQ(ToGroups(groups).status().code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace berth
