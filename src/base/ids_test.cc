#include "berth/ids.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(Ids, PrintAsPeopleReadThem) {
  EXPECT_EQ(ToString(DecisionId{.agent = "a0", .sequence = 17}), "a0-17");
  EXPECT_EQ(ToString(InstanceId{.service = "web", .number = 3}), "web/3");
}

TEST(Ids, OrderByOwnerThenNumber) {
  EXPECT_LT((InstanceId{.service = "web", .number = 9}),
            (InstanceId{.service = "web", .number = 10}));
  EXPECT_LT((DecisionId{.agent = "a0", .sequence = 9}), (DecisionId{.agent = "a1", .sequence = 1}));
  EXPECT_EQ(ToNumber(Next(Revision{41})), 42U);
}

}  // namespace
}  // namespace berth
