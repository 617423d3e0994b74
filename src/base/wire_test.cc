#include "base/wire.h"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "berth/rng.h"

namespace berth {
namespace {

constexpr std::uint64_t kUintMax = std::numeric_limits<std::uint64_t>::max();
constexpr std::int64_t kIntMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kIntMax = std::numeric_limits<std::int64_t>::max();

template <typename Fill>
std::string Written(Fill fill) {
  std::string bytes;
  WireWriter writer(bytes);
  fill(writer);
  return bytes;
}

std::string Bytes(std::initializer_list<int> values) {
  std::string bytes;
  for (const int value : values) bytes += static_cast<char>(value);
  return bytes;
}

// Walks to the end, looking into nothing, and answers why the walk ended.
Status Walk(std::string_view bytes) {
  WireReader reader(bytes);
  while (reader.Next()) {
  }
  return reader.status();
}

// These are the bytes of the protobuf documentation's own examples.
TEST(Wire, WritesTheProtobufFormat) {
  EXPECT_EQ(Written([](WireWriter& w) { w.PutUint(1, 150); }), Bytes({0x08, 0x96, 0x01}));
  EXPECT_EQ(Written([](WireWriter& w) { w.PutText(2, "testing"); }),
            Bytes({0x12, 0x07}) + "testing");
  EXPECT_EQ(
      Written([](WireWriter& w) { w.PutMessage(3, [](WireWriter& m) { m.PutUint(1, 150); }); }),
      Bytes({0x1a, 0x03, 0x08, 0x96, 0x01}));
  EXPECT_EQ(Written([](WireWriter& w) { w.PutInt(1, -2); }), Bytes({0x08, 0x03}));
  EXPECT_EQ(Written([](WireWriter& w) { w.PutInt(1, 2); }), Bytes({0x08, 0x04}));
  EXPECT_EQ(Written([](WireWriter& w) { w.PutFixed(1, 0x0102030405060708); }),
            Bytes({0x09, 8, 7, 6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(Written([](WireWriter& w) { w.PutUint(16, 1); }), Bytes({0x80, 0x01, 0x01}));
}

TEST(Wire, LeavesOutZeroAndEmptyButNotMessages) {
  EXPECT_EQ(Written([](WireWriter& w) {
              w.PutUint(1, 0);
              w.PutInt(2, 0);
              w.PutFixed(3, 0);
              w.PutText(4, "");
            }),
            "");
  EXPECT_EQ(Written([](WireWriter& w) { w.PutMessage(1, [](WireWriter&) {}); }),
            Bytes({0x0a, 0x00}));
}

TEST(Wire, ReadsBackTheExtremes) {
  const std::string bytes = Written([](WireWriter& w) {
    w.PutUint(1, kUintMax);
    w.PutInt(2, kIntMin);
    w.PutInt(3, kIntMax);
    w.PutFixed(4, kUintMax);
    w.PutUint((1U << 29) - 1, 1);
  });
  WireReader reader(bytes);
  ASSERT_TRUE(reader.Next());
  EXPECT_EQ(reader.Uint(), kUintMax);
  ASSERT_TRUE(reader.Next());
  EXPECT_EQ(reader.Int(), kIntMin);
  ASSERT_TRUE(reader.Next());
  EXPECT_EQ(reader.Int(), kIntMax);
  ASSERT_TRUE(reader.Next());
  EXPECT_EQ(reader.Fixed(), kUintMax);
  ASSERT_TRUE(reader.Next());
  EXPECT_EQ(reader.field(), (1U << 29) - 1);
  EXPECT_TRUE(reader.Uint<bool>());
  EXPECT_FALSE(reader.Next());
  EXPECT_TRUE(reader.status().ok());
}

TEST(Wire, MessagesNestAndMayBeLong) {
  const std::string text(1000, 'x');
  const std::string bytes = Written([&](WireWriter& w) {
    w.PutMessage(1, [&](WireWriter& outer) {
      outer.PutMessage(2, [&](WireWriter& inner) { inner.PutText(3, text); });
      outer.PutUint(4, 5);
    });
  });
  WireReader reader(bytes);
  ASSERT_TRUE(reader.Next());
  WireReader outer = reader.Message();
  ASSERT_TRUE(outer.Next());
  WireReader inner = outer.Message();
  ASSERT_TRUE(inner.Next());
  EXPECT_EQ(inner.Text(), text);
  EXPECT_FALSE(inner.Next());
  ASSERT_TRUE(outer.Next());
  EXPECT_EQ(outer.Uint(), 5U);
  EXPECT_FALSE(reader.Next());
}

TEST(Wire, PassesOverUnknownFieldsOfEveryType) {
  const std::string bytes = Bytes({0x08, 0x96, 0x01,                      // 1: a number
                                   0x11, 1,    2,    3,   4, 5, 6, 7, 8,  // 2: eight bytes
                                   0x1a, 0x02, 'h',  'i',                 // 3: text
                                   0x25, 1,    2,    3,   4,              // 4: four bytes
                                   0x28, 0x07});                          // 5: a number
  WireReader reader(bytes);
  std::uint64_t seen = 0;
  while (reader.Next()) {
    if (reader.field() == 5) seen = reader.Uint();
  }
  EXPECT_TRUE(reader.status().ok());
  EXPECT_EQ(seen, 7U);
}

TEST(Wire, RefusesMalformedBytes) {
  struct Case {
    std::string bytes;
    const char* what;
  };
  for (const Case& c : {
           Case{Bytes({0x00}), "a field number is out of range"},
           Case{Bytes({0x80, 0x80, 0x80, 0x80, 0x10}), "a field number is out of range"},
           Case{Bytes({0x0b}), "a field has an unknown wire type"},
           Case{Bytes({0x0c}), "a field has an unknown wire type"},
           Case{Bytes({0x0e}), "a field has an unknown wire type"},
           Case{Bytes({0x08}), "a number goes past the end"},
           Case{Bytes({0x08, 0x80}), "a number goes past the end"},
           Case{Bytes({0x09, 1, 2, 3, 4, 5, 6, 7}), "a number goes past the end"},
           Case{Bytes({0x0d, 1, 2, 3}), "a number goes past the end"},
           Case{Bytes({0x0a, 0x01}), "a length goes past the end"},
           Case{Bytes({0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}),
                "a length goes past the end"},
           Case{Bytes({0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02}),
                "a number is over 64 bits"},
           Case{Bytes({0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x80, 0x01}),
                "a number is over 64 bits"},
       }) {
    const Status status = Walk(c.bytes);
    EXPECT_EQ(status.code(), Code::kInvalidArgument);
    EXPECT_NE(status.message().find(c.what), std::string::npos) << status.message();
  }
}

TEST(Wire, AValueAskedForAsWhatItIsNotEndsTheWalk) {
  const std::string bytes = Written([](WireWriter& w) {
    w.PutUint(1, 300);
    w.PutText(2, "x");
  });
  const auto error_of = [&bytes](std::uint32_t field, auto get) {
    WireReader reader(bytes);
    while (reader.Next()) {
      if (reader.field() == field) get(reader);
    }
    return reader.status().message();
  };
  EXPECT_EQ(error_of(1, [](WireReader& r) { EXPECT_EQ(r.Text(), ""); }),
            "malformed record: field 1, before byte 3: the field has another wire type; restore it "
            "from a backup");
  EXPECT_NE(error_of(1, [](WireReader& r) { EXPECT_EQ(r.Fixed(), 0U); }), "");
  EXPECT_NE(error_of(1, [](WireReader& r) { EXPECT_FALSE(r.Message().Next()); }), "");
  EXPECT_NE(error_of(2, [](WireReader& r) { EXPECT_EQ(r.Uint(), 0U); }), "");
  EXPECT_NE(error_of(2, [](WireReader& r) { EXPECT_EQ(r.Int(), 0); }), "");
  EXPECT_NE(error_of(1, [](WireReader& r) { EXPECT_EQ(r.Uint<std::uint8_t>(), 0); })
                .find("300 is over 255"),
            std::string::npos);
  EXPECT_NE(error_of(1, [](WireReader& r) { EXPECT_FALSE(r.Uint<bool>()); }).find("300 is over 1"),
            std::string::npos);
}

TEST(Wire, FailKeepsTheFirstReasonAndEndsTheWalk) {
  const std::string bytes = Written([](WireWriter& w) { w.PutUint(1, 9); });
  WireReader reader(bytes);
  ASSERT_TRUE(reader.Next());
  reader.Fail("9 is no health");
  reader.Fail("and more");
  EXPECT_EQ(reader.Uint(), 0U);
  EXPECT_FALSE(reader.Next());
  EXPECT_EQ(reader.status().message(),
            "malformed record: field 1, before byte 2: 9 is no health; restore it from a backup");
}

TEST(WireDeathTest, AFieldNumberOutOfRangeIsOurBug) {
  EXPECT_DEATH((void)Written([](WireWriter& w) { w.PutUint(0, 1); }), "field >= 1");
  EXPECT_DEATH((void)Written([](WireWriter& w) { w.PutUint(1U << 29, 1); }), "field <= kFieldMax");
}

// A field of a random record, and what was written.
struct WrittenField {
  enum class Kind : std::uint8_t { kUint, kInt, kFixed, kText, kMessage };
  Kind kind = Kind::kUint;
  std::uint32_t field = 1;
  std::uint64_t number = 0;
  std::string text;
  std::vector<WrittenField> fields;
};

std::vector<WrittenField> RandomRecord(Rng& rng, int depth) {
  std::vector<WrittenField> record(rng.Below(6));
  for (WrittenField& value : record) {
    value.kind = static_cast<WrittenField::Kind>(rng.Below(depth == 0 ? 4 : 5));
    value.field = 1 + static_cast<std::uint32_t>(rng.Below(rng.Below(2) == 0 ? 20 : 100'000));
    value.number = (rng.Next() >> rng.Below(64)) | 1;
    value.text = std::string(1 + rng.Below(200), static_cast<char>(rng.Below(256)));
    if (value.kind == WrittenField::Kind::kMessage) value.fields = RandomRecord(rng, depth - 1);
  }
  return record;
}

void Write(const std::vector<WrittenField>& record, WireWriter& writer) {
  for (const WrittenField& value : record) {
    switch (value.kind) {
      case WrittenField::Kind::kUint:
        writer.PutUint(value.field, value.number);
        break;
      case WrittenField::Kind::kInt:
        writer.PutInt(value.field, static_cast<std::int64_t>(value.number));
        break;
      case WrittenField::Kind::kFixed:
        writer.PutFixed(value.field, value.number);
        break;
      case WrittenField::Kind::kText:
        writer.PutText(value.field, value.text);
        break;
      case WrittenField::Kind::kMessage:
        writer.PutMessage(value.field, [&](WireWriter& inner) { Write(value.fields, inner); });
        break;
    }
  }
}

void ExpectReads(const std::vector<WrittenField>& record, WireReader reader) {
  for (const WrittenField& value : record) {
    ASSERT_TRUE(reader.Next());
    ASSERT_EQ(reader.field(), value.field);
    switch (value.kind) {
      case WrittenField::Kind::kUint:
        ASSERT_EQ(reader.Uint(), value.number);
        break;
      case WrittenField::Kind::kInt:
        ASSERT_EQ(reader.Int(), static_cast<std::int64_t>(value.number));
        break;
      case WrittenField::Kind::kFixed:
        ASSERT_EQ(reader.Fixed(), value.number);
        break;
      case WrittenField::Kind::kText:
        ASSERT_EQ(reader.Text(), value.text);
        break;
      case WrittenField::Kind::kMessage:
        ExpectReads(value.fields, reader.Message());
        break;
    }
  }
  EXPECT_FALSE(reader.Next());
  EXPECT_TRUE(reader.status().ok());
}

TEST(Wire, ReadsBackRandomRecords) {
  Rng rng(41);
  for (int i = 0; i < 2000; ++i) {
    const std::vector<WrittenField> record = RandomRecord(rng, 4);
    ExpectReads(record, WireReader(Written([&](WireWriter& w) { Write(record, w); })));
  }
}

TEST(Wire, ATruncatedRecordIsShorterOrRefusedWhereverItEnds) {
  const std::string whole = Written([](WireWriter& w) {
    w.PutUint(1, kUintMax);
    w.PutFixed(200, 7);
    w.PutMessage(3, [](WireWriter& m) { m.PutText(1, std::string(300, 'x')); });
  });
  std::size_t accepted = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    // A copy of its own, so that reading past its end is seen by the address sanitizer.
    const std::vector<char> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    if (Walk({cut.data(), cut.size()}).ok()) ++accepted;
  }
  EXPECT_EQ(accepted, 3U);  // Nothing, one field and two.
}

TEST(Wire, SurvivesRandomBytes) {
  Rng rng(43);
  for (int i = 0; i < 20'000; ++i) {
    std::vector<char> bytes(rng.Below(40));
    for (char& byte : bytes) byte = std::bit_cast<char>(static_cast<std::uint8_t>(rng.Below(256)));
    WireReader reader({bytes.data(), bytes.size()});
    while (reader.Next()) (void)Walk(reader.Message().status().ok() ? reader.Text() : "");
  }
}

}  // namespace
}  // namespace berth
