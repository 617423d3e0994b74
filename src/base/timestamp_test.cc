#include "base/timestamp.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(ParseTimestamp, ReadsWhatPeopleWrite) {
  // 20,772 days, 13 hours and 45 minutes.
  EXPECT_EQ(ParseTimestamp("2026-11-15 13:45:00"), 1'794'750'300);
  EXPECT_EQ(ParseTimestamp("2026-11-15T13:45Z"), 1'794'750'300);
  EXPECT_EQ(ParseTimestamp("1970-01-01 00:00:01"), 1);
  for (const char* const bad : {"", "2026-11-15", "2026-13-15 00:00", "2026-02-30 00:00",
                                "2026-11-15 24:00", "2026-11-15 13.45", "x026-11-15 13:45"}) {
    EXPECT_EQ(ParseTimestamp(bad), std::nullopt) << bad;
  }
}

}  // namespace
}  // namespace berth
