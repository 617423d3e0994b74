#include "base/utf8.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(Utf8, AcceptsWellFormedText) {
  for (const char* text : {"", "plain", "caf\xc3\xa9", "\xe2\x82\xac", "\xed\x9f\xbf",
                           "\xee\x80\x80", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_FALSE(FindMalformedUtf8(text).has_value()) << text;
  }
}

TEST(Utf8, FindsTheFirstMalformedByte) {
  struct Case {
    const char* text;
    std::size_t at;
  };
  for (const Case& c : {
           Case{"ab\x80", 2},            // A continuation without a start.
           Case{"a\xc3", 1},             // Cut short.
           Case{"a\xe2\x82", 1},         // Cut short.
           Case{"\xc3\x28", 0},          // Not a continuation.
           Case{"\xc0\x80", 0},          // Overlong.
           Case{"\xe0\x80\x80", 0},      // Overlong.
           Case{"\xf0\x80\x80\x80", 0},  // Overlong.
           Case{"\xed\xa0\x80", 0},      // A surrogate.
           Case{"\xf4\x90\x80\x80", 0},  // Beyond the last character.
           Case{"\xff", 0},              //
           Case{"\xe2\x82\xac\xfe", 3},  //
       }) {
    EXPECT_EQ(FindMalformedUtf8(c.text), c.at) << ::testing::PrintToString(c.text);
  }
}

TEST(Utf8, ControlsAreWhatTextFilesDoNotHold) {
  for (const char c : {'\0', '\x04', '\x1b', '\x7f'}) EXPECT_TRUE(IsControl(c));
  for (const char c : {'\t', '\n', '\r', ' ', 'a', '\x80', '\xff'}) EXPECT_FALSE(IsControl(c));
}

}  // namespace
}  // namespace berth
