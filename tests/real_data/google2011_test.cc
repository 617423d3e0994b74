#include <gtest/gtest.h>

#include <string>

#include "real_data/data_dir.h"
#include "real_data/tally.h"

namespace berth {
namespace {

TEST(RealDataGoogle2011Tasks, HasTheTasksItsSourceStates) {
  const std::string file =
      testing::DataFile("google2011_task_events/task_events_part-00000-of-00500.csv.gz");
  BERTH_SKIP_WITHOUT(file);
  auto trace = OpenTrace("google2011_tasks:" + file, {});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  // Of the 201,491 submissions of 190,926 tasks, 291 say no size.
  EXPECT_EQ(trace.value()->Notes().lines.at(0),
            "450,146 events: 201,200 tasks submitted, of 1459 sizes and 517 users");
  EXPECT_EQ(trace.value()->Notes().lines.at(1), "291 tasks without a size are left out");
  const testing::Tally tally = testing::TallyOf(*trace.value());
  EXPECT_EQ(tally.services, 201'200U);
  EXPECT_EQ(tally.instances, 201'200U);
  EXPECT_EQ(tally.at_start, 144'339U - 291U);    // The snapshot at time 0.
  EXPECT_EQ(tally.with_lifetime, 58'661U - 4U);  // So many end; four of them say no size.
}

TEST(RealDataGoogle2011Tasks, HasTheSameTasksInBatches) {
  const std::string file =
      testing::DataFile("google2011_task_events/task_events_part-00000-of-00500.csv.gz");
  BERTH_SKIP_WITHOUT(file);
  auto trace = OpenTrace("google2011_tasks:" + file, {.seed = 1, .batch_as_gang = true});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  const testing::Tally tally = testing::TallyOf(*trace.value());
  EXPECT_EQ(tally.instances, 201'200U);
  EXPECT_EQ(tally.largest, 2000U);
}

TEST(RealDataGoogle2011Jobs, HasTheJobsItsSourceStates) {
  const std::string file = testing::DataFile("google2011_jobs/google2011_jobs_29days.csv.gz");
  BERTH_SKIP_WITHOUT(file);
  auto trace = OpenTrace("google2011_jobs:" + file, {});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  const testing::Tally tally = testing::TallyOf(*trace.value());
  EXPECT_EQ(tally.services, 672'074U);
  EXPECT_EQ(tally.with_lifetime, 672'074U - 3'989U);
  EXPECT_GT(tally.last, Time(std::chrono::hours(24) * 29 - std::chrono::hours(1)));
}

}  // namespace
}  // namespace berth
