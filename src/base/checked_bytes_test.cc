#include "base/checked_bytes.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(CheckedBytes, EveryCutAndEveryOtherBitIsNoticed) {
  const std::string bytes = WithChecksum("learned");
  ASSERT_TRUE(WithoutChecksum(bytes).has_value());
  EXPECT_EQ(*WithoutChecksum(bytes), "learned");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(WithoutChecksum(std::string_view(bytes).substr(0, size))) << size;
  }
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string other = bytes;
    other[bit / 8] = static_cast<char>(other[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_FALSE(WithoutChecksum(other)) << bit;
  }
}

TEST(CheckedBytes, TheChecksumOfNothingIsThatOfFnv) {
  EXPECT_EQ(WithChecksum(""), std::string("\x25\x23\x22\x84\xe4\x9c\xf2\xcb"));
}

}  // namespace
}  // namespace berth
