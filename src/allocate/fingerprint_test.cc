#include <gtest/gtest.h>

#include "berth/request.h"

namespace berth {
namespace {

Machine Named(std::string_view name, std::int64_t cpu) {
  Machine machine;
  machine.name = MachineId(name);
  machine.capacity[Resource::kCpu] = cpu;
  return machine;
}

std::uint64_t Of(ChangeFleet change) { return Fingerprint({.what = std::move(change)}); }

TEST(Fingerprint, IsTheSameForTheSameRequest) {
  EXPECT_EQ(Of({.put = {Named("a", 1)}, .remove = {}}), Of({.put = {Named("a", 1)}, .remove = {}}));
}

TEST(Fingerprint, TellsWhatAMachineIsNotOnlyItsName) {
  EXPECT_NE(Of({.put = {Named("a", 1)}, .remove = {}}), Of({.put = {Named("a", 2)}, .remove = {}}));
}

TEST(Fingerprint, TellsPuttingFromRemoving) {
  EXPECT_NE(Of({.put = {Named("a", 1)}, .remove = {}}),
            Of({.put = {}, .remove = {KeyOf(RecordKind::kMachine, "a")}}));
}

TEST(Fingerprint, DoesNotDependOnTheKey) {
  Request one{.what = DeleteService{"web"}};
  Request two = one;
  two.idempotency_key = "k";
  EXPECT_EQ(Fingerprint(one), Fingerprint(two));
  EXPECT_NE(Fingerprint(one), Fingerprint({.what = DeleteService{"api"}}));
}

}  // namespace
}  // namespace berth
