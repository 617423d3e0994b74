#include <gtest/gtest.h>

#include "base/document.h"

namespace berth {
namespace {

// A document of one field `v`, and that field.
class FieldOf {
 public:
  explicit FieldOf(const std::string& yaml)
      : document_(ParseDocument("v: " + yaml, "f.yaml").value()),
        node_(*document_.root().Find("v")) {}
  const Node* operator->() const { return &node_; }

 private:
  Document document_;
  Node node_;
};

template <typename T>
std::string ErrorOf(const Result<T>& result) {
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.status().code(), Code::kInvalidArgument);
  return result.status().message();
}

TEST(Node, TextIsAnyScalar) {
  EXPECT_EQ(FieldOf("web")->Text().value(), "web");
  EXPECT_EQ(FieldOf("12")->Text().value(), "12");
  EXPECT_EQ(FieldOf("''")->Text().value(), "");
  EXPECT_EQ(ErrorOf(FieldOf("")->Text()), "f.yaml:1:1: v: is empty; write text");
  EXPECT_EQ(ErrorOf(FieldOf("[a]")->Text()), "f.yaml:1:4: v: is a list; write text");
  EXPECT_EQ(ErrorOf(FieldOf("{a: b}")->Text()), "f.yaml:1:4: v: is a map of fields; write text");
}

TEST(Node, IntegerIsWholeAndInRange) {
  EXPECT_EQ(FieldOf("-12")->Integer().value(), -12);
  EXPECT_EQ(FieldOf("9223372036854775807")->Integer().value(),
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(FieldOf("4294967295")->Integer<std::uint32_t>().value(), 4294967295U);
  EXPECT_EQ(FieldOf("7")->Integer<std::uint64_t>({.min = 7, .max = 7}).value(), 7U);
}

TEST(Node, IntegerSaysWhatWasWanted) {
  EXPECT_EQ(ErrorOf(FieldOf("x")->Integer()),
            "f.yaml:1:4: v: 'x' is not a whole number; write a whole number");
  EXPECT_EQ(ErrorOf(FieldOf("0")->Integer({.min = 1, .max = 10})),
            "f.yaml:1:4: v: '0' is out of range; write a whole number from 1 to 10");
  EXPECT_EQ(ErrorOf(FieldOf("11")->Integer({.min = 1, .max = 10})),
            "f.yaml:1:4: v: '11' is out of range; write a whole number from 1 to 10");
  EXPECT_EQ(ErrorOf(FieldOf("0")->Integer({.min = 1})),
            "f.yaml:1:4: v: '0' is out of range; write a whole number of at least 1");
  EXPECT_EQ(ErrorOf(FieldOf("11")->Integer({.max = 10})),
            "f.yaml:1:4: v: '11' is out of range; write a whole number of at most 10");
  EXPECT_EQ(ErrorOf(FieldOf("-1")->Integer<std::uint32_t>()),
            "f.yaml:1:4: v: '-1' is out of range; write a whole number from 0 to 4294967295");
  EXPECT_EQ(ErrorOf(FieldOf("9223372036854775808")->Integer()),
            "f.yaml:1:4: v: '9223372036854775808' is out of range; write a whole number");
  EXPECT_EQ(ErrorOf(FieldOf("'4'")->Integer()),
            "f.yaml:1:4: v: '4' is text; write a whole number without quotes");
  EXPECT_EQ(ErrorOf(FieldOf("[]")->Integer()), "f.yaml:1:4: v: is a list; write a whole number");
  for (const char* text : {"1.0", "1e3", "0x10", "1_000", "+1", "1 2"}) {
    EXPECT_FALSE(FieldOf(text)->Integer().ok()) << text;
  }
}

TEST(Node, NumberIsFiniteAndInRange) {
  EXPECT_EQ(FieldOf("2.5")->Number().value(), 2.5);
  EXPECT_EQ(FieldOf("-1e3")->Number().value(), -1000);
  EXPECT_EQ(FieldOf("3")->Number({.min = 3, .max = 4}).value(), 3);
  EXPECT_EQ(ErrorOf(FieldOf("4.5")->Number({.min = 1, .max = 4})),
            "f.yaml:1:4: v: '4.5' is out of range; write a number from 1 to 4");
  EXPECT_EQ(ErrorOf(FieldOf("1e999")->Number()),
            "f.yaml:1:4: v: '1e999' is out of range; write a number");
  EXPECT_EQ(ErrorOf(FieldOf("'1'")->Number()),
            "f.yaml:1:4: v: '1' is text; write a number without quotes");
  for (const char* text : {"nan", ".nan", "inf", "-inf", "1.2.3", "1x", "half"}) {
    EXPECT_NE(ErrorOf(FieldOf(text)->Number()).find("is not a number; write a number"),
              std::string::npos)
        << text;
  }
}

TEST(Node, BoolIsTrueOrFalse) {
  EXPECT_TRUE(FieldOf("true")->Bool().value());
  EXPECT_FALSE(FieldOf("false")->Bool().value());
  EXPECT_EQ(ErrorOf(FieldOf("yes")->Bool()),
            "f.yaml:1:4: v: 'yes' is neither true nor false; write one of them");
  EXPECT_EQ(ErrorOf(FieldOf("'true'")->Bool()),
            "f.yaml:1:4: v: 'true' is text; write true or false without quotes");
  EXPECT_EQ(ErrorOf(FieldOf("~")->Bool()), "f.yaml:1:4: v: is empty; write true or false");
}

TEST(Node, AmountIsOfAResource) {
  EXPECT_EQ(FieldOf("2.5")->Amount(Resource::kCpu).value(), 2500);
  EXPECT_EQ(FieldOf("'16Gi'")->Amount(Resource::kMemory).value(), std::int64_t{16} << 30);
  EXPECT_EQ(ErrorOf(FieldOf("16Q")->Amount(Resource::kMemory)),
            "f.yaml:1:4: v: '16Q' has a unit that memory does not have; write it like \"16Gi\", "
            "\"512MiB\" or \"2TB\"");
}

TEST(Node, LengthIsOfTime) {
  EXPECT_EQ(FieldOf("90s")->Length().value(), std::chrono::seconds(90));
  EXPECT_EQ(
      ErrorOf(FieldOf("90")->Length()),
      "f.yaml:1:4: v: '90' has no unit of time; write it like \"90s\", \"5m\", \"12h\", \"3d\" "
      "or \"250ms\"");
  EXPECT_EQ(ErrorOf(FieldOf("{}")->Length()), "f.yaml:1:4: v: is a map of fields; write text");
}

TEST(Node, NameIsValid) {
  EXPECT_EQ(FieldOf("web-1.a")->Name().value(), "web-1.a");
  EXPECT_EQ(ErrorOf(FieldOf("a/b")->Name()),
            "f.yaml:1:4: v: 'a/b' is not a name; write 1 to 128 letters, digits, '.', '_' or '-'");
}

TEST(Node, ItemsAreOfAList) {
  EXPECT_EQ(FieldOf("[a, b]")->Items().value().size(), 2U);
  EXPECT_TRUE(FieldOf("[]")->Items().value().empty());
  EXPECT_EQ(ErrorOf(FieldOf("a")->Items()), "f.yaml:1:4: v: is a single value; write a list");
}

TEST(Node, EntriesAreInTheOrderOfTheFile) {
  const FieldOf value("{b: [1, 2], a: {c: 3}, d: 4}");
  const std::vector<KeyedNode> entries = value->Entries().value();
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].key, "b");
  EXPECT_EQ(entries[1].key, "a");
  EXPECT_EQ(entries[2].key, "d");
  EXPECT_EQ(entries[2].value.Integer().value(), 4);
  EXPECT_EQ(ErrorOf(FieldOf("[a]")->Entries()), "f.yaml:1:4: v: is a list; write a map of fields");
}

TEST(Node, FindLooksOnlyIntoItsOwnMap) {
  const FieldOf value("{a: {b: 1}}");
  EXPECT_TRUE(value->Find("a").has_value());
  EXPECT_FALSE(value->Find("b").has_value());
  EXPECT_FALSE(value->Find("a")->Find("b")->Find("c").has_value());
}

TEST(Node, ErrorsPointAtTheValueOrAtItsKey) {
  const FieldOf value("\n  shelf: 3");
  const Node shelf = *value->Find("shelf");
  EXPECT_EQ(shelf.Error("is full; use another").message(),
            "f.yaml:2:10: v.shelf: is full; use another");
  EXPECT_EQ(shelf.KeyError("no shelf here; remove it").message(),
            "f.yaml:2:3: v: no shelf here; remove it");
}

}  // namespace
}  // namespace berth
