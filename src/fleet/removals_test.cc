#include "fleet/removals.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

RecordKey Key(const char* name) { return KeyOf(RecordKind::kMachine, name); }

TEST(Removals, SaysWhenARecordWent) {
  Removals removals;
  EXPECT_EQ(removals.When(Key("a")), Revision{});
  removals.Add(Key("a"), Revision{7});
  EXPECT_EQ(removals.When(Key("a")), Revision{7});
  EXPECT_EQ(removals.When(Key("b")), Revision{});
  removals.Erase(Key("a"));
  EXPECT_EQ(removals.When(Key("a")), Revision{});
}

TEST(Removals, OfWhatItForgotItSaysTheLatest) {
  Removals removals(2);
  removals.Add(Key("a"), Revision{1});
  removals.Add(Key("b"), Revision{2});
  removals.Add(Key("c"), Revision{3});
  EXPECT_EQ(removals.When(Key("b")), Revision{2});
  EXPECT_EQ(removals.When(Key("a")), Revision{1});
  EXPECT_EQ(removals.When(Key("never-was")), Revision{1});
  removals.Add(Key("d"), Revision{4});
  EXPECT_EQ(removals.When(Key("a")), Revision{2});
}

TEST(Removals, WhatCameBackIsNotForgottenAsGone) {
  Removals removals(1);
  removals.Add(Key("a"), Revision{1});
  removals.Erase(Key("a"));
  removals.Add(Key("b"), Revision{5});
  EXPECT_EQ(removals.When(Key("a")), Revision{});
}

TEST(Removals, GoneTwiceCountsTheSecondTime) {
  Removals removals(2);
  removals.Add(Key("a"), Revision{1});
  removals.Erase(Key("a"));
  removals.Add(Key("a"), Revision{5});
  removals.Add(Key("b"), Revision{6});
  EXPECT_EQ(removals.When(Key("a")), Revision{5});
  EXPECT_EQ(removals.When(Key("c")), Revision{});
}

}  // namespace
}  // namespace berth
