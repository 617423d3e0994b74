#include "qos/request_table.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

using std::chrono::seconds;

Time At(int second) { return Time(seconds(second)); }

TEST(RequestTable, CountsTheFirstAllocationAsRunAndLaterOnesAsWaiting) {
  RequestTable requests;
  const RequestIndex one = requests.Admit({}, At(0));
  requests.Place(one, HostIndex{0}, At(10));
  requests.SetAllocation(one, seconds(3));
  EXPECT_EQ(requests[one].At(At(30)), (Delivered{seconds(20), seconds(10)}));
  requests.Preempt(one, At(30));
  requests.Place(one, HostIndex{0}, At(40));
  requests.SetAllocation(one, seconds(4));
  EXPECT_EQ(requests[one].At(At(60)), (Delivered{seconds(36), seconds(24)}));
}

TEST(RequestTable, ChargesAnAllocationCutShortForItsTimeOnly) {
  RequestTable requests;
  const RequestIndex one = requests.Admit({}, At(0));
  requests.Place(one, HostIndex{0}, At(0));
  requests.Preempt(one, At(10));
  requests.Place(one, HostIndex{0}, At(10));
  requests.SetAllocation(one, seconds(8));
  requests.Preempt(one, At(13));
  EXPECT_EQ(requests[one].At(At(13)), (Delivered{seconds(10), seconds(3)}));
  EXPECT_EQ(requests[one].overhead, seconds(3));
}

// Eq. 8 by hand: preempted twice after allocations of 2 and 4 s, it has run 54 s: 6/60 is a tenth.
TEST(RequestTable, IsOverItsCapOnlyBeyondIt) {
  RequestTable requests;
  const RequestIndex one = requests.Admit({}, At(0));
  requests.Place(one, HostIndex{0}, At(0));
  EXPECT_FALSE(requests[one].Over(0, At(5)));  // Never preempted.
  requests.SetAllocation(one, seconds(2));
  requests.Preempt(one, At(30));
  requests.Place(one, HostIndex{0}, At(30));
  requests.SetAllocation(one, seconds(4));
  requests.Preempt(one, At(54));
  requests.Place(one, HostIndex{0}, At(60));
  EXPECT_EQ(requests[one].preemptions, 2U);
  EXPECT_EQ(requests[one].At(At(64)).ran, seconds(54));
  EXPECT_FALSE(requests[one].Over(100'000, At(64)));
  EXPECT_TRUE(requests[one].Over(100'000, At(64) - Duration(1)));
  EXPECT_TRUE(requests[one].Over(0, At(10'000)));
}

TEST(RequestTable, LosingAHostIsNoPreemption) {
  RequestTable requests;
  const RequestIndex one = requests.Admit({}, At(0));
  requests.Place(one, HostIndex{0}, At(0));
  requests.SetAllocation(one, seconds(2));
  requests.Displace(one, At(10));
  EXPECT_EQ(requests[one].preemptions, 0U);
  EXPECT_EQ(requests[one].overhead, Duration());
}

}  // namespace
}  // namespace berth
