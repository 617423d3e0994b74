#include "berth/ids.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(Ids, PrintAsPeopleReadThem) {
  EXPECT_EQ(ToString(DecisionId{.agent = "a0", .sequence = 17}), "a0-17");
  EXPECT_EQ(ToString(InstanceId{.service = "web", .number = 3}), "web/3");
}

TEST(Ids, AreReadAsTheyPrint) {
  EXPECT_EQ(ParseDecisionId("a-b-17"), (DecisionId{.agent = "a-b", .sequence = 17}));
  EXPECT_EQ(ParseInstanceId("web/3"), (InstanceId{.service = "web", .number = 3}));
  for (const std::string_view wrong : {"", "a0", "a0-", "-1", "a0-1x", "a b-1"}) {
    EXPECT_FALSE(ParseDecisionId(wrong)) << wrong;
  }
  for (const std::string_view wrong : {"web", "web/", "/1", "web/1x", "web/-1", "web/4294967296"}) {
    EXPECT_FALSE(ParseInstanceId(wrong)) << wrong;
  }
}

TEST(Ids, OrderByOwnerThenNumber) {
  EXPECT_LT((InstanceId{.service = "web", .number = 9}),
            (InstanceId{.service = "web", .number = 10}));
  EXPECT_LT((DecisionId{.agent = "a0", .sequence = 9}), (DecisionId{.agent = "a1", .sequence = 1}));
  EXPECT_EQ(ToNumber(Next(Revision{41})), 42U);
}

}  // namespace
}  // namespace berth
