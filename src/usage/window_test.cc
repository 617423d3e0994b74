#include "usage/window.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;

TEST(WindowOf, BeginsAtAMultipleOfFiveMinutes) {
  const Time noon = Time(hours(12));
  EXPECT_EQ(WindowOf(noon), noon);
  EXPECT_EQ(WindowOf(noon + minutes(5) - Duration(1)), noon);
  EXPECT_EQ(WindowOf(noon + minutes(5)), noon + minutes(5));
  EXPECT_EQ(WindowOf(Time(-Duration(1))), Time(-minutes(5)));
}

TEST(Window, KeepsCountMeanAndExtremes) {
  Window window;
  EXPECT_TRUE(window.Add(Time(milliseconds(1)), 4));
  EXPECT_TRUE(window.Add(Time(milliseconds(2)), -1));
  EXPECT_TRUE(window.Add(Time(milliseconds(9)), 6));
  EXPECT_EQ(window.count, 3U);
  EXPECT_EQ(window.mean(), 3);
  EXPECT_EQ(window.min, -1);
  EXPECT_EQ(window.max, 6);
}

TEST(Window, LeavesOutWhatIsNotLater) {
  Window window;
  window.Add(Time(milliseconds(2)), 4);
  EXPECT_FALSE(window.Add(Time(milliseconds(2)), 5));
  EXPECT_FALSE(window.Add(Time(milliseconds(1)), 6));
  EXPECT_EQ(window.count, 1U);
  EXPECT_EQ(window.max, 4);
}

TEST(Window, KnowsWhenItsFirstAndLastSamplesWereTaken) {
  Window window;
  window.Add(Time(milliseconds(2)), 4);
  window.Add(Time(milliseconds(1)), 5);
  window.Add(Time(milliseconds(7)), 6);
  EXPECT_EQ(window.first, Time(milliseconds(2)));
  EXPECT_EQ(window.last, Time(milliseconds(7)));
}

TEST(Window, IsReadAsItWasWritten) {
  Window window;
  window.begin = Time(hours(1));
  window.Add(window.begin + milliseconds(1), 0.1);
  window.Add(window.begin + milliseconds(2), -1e300);
  EXPECT_EQ(DecodeWindow(Encode(window)).value(), window);
}

TEST(Window, IsNotReadFromSomethingElse) {
  EXPECT_FALSE(DecodeWindow("").ok());
  EXPECT_FALSE(DecodeWindow("\x80").ok());
}

}  // namespace
}  // namespace berth
