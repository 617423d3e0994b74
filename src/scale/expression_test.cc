#include "scale/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "berth/rng.h"

namespace berth {
namespace {

using Values = std::map<std::string, double, std::less<>>;

Result<double> Work(std::string_view text, const Values& values = {}) {
  BERTH_TRY(const Expression parsed, Expression::Parse(text));
  return parsed.Evaluate([&](std::string_view name) { return values.find(name)->second; });
}

double ValueOf(std::string_view text, const Values& values = {}) {
  const Result<double> value = Work(text, values);
  EXPECT_TRUE(value.ok()) << text << ": " << value.status().message();
  return value.ok() ? value.value() : -1;
}

std::string ErrorInExpression(std::string_view text) { return Work(text).status().message(); }

TEST(Expression, IsWorkedOutAsWritten) {
  EXPECT_EQ(ValueOf("ceil(queue / 20) + 1", {{"queue", 45}}), 4);
  EXPECT_EQ(ValueOf("1 + 2 * 3 - 4 / 8"), 6.5);
  EXPECT_EQ(ValueOf("8 - 2 - 1"), 5);
  EXPECT_EQ(ValueOf("8 / 4 / 2"), 1);
  EXPECT_EQ(ValueOf("-(2 + 3) * -2"), 10);
  EXPECT_EQ(ValueOf("max(1, min(5, x, 9), floor(2.9))", {{"x", 4}}), 4);
  EXPECT_EQ(ValueOf("  a_1+a_1 ", {{"a_1", 1.5}}), 3);
}

TEST(Expression, KnowsItsNames) {
  const Result<Expression> parsed = Expression::Parse("b + a * b / cpu_milli");
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed.value().names(), (std::vector<std::string>{"b", "a", "cpu_milli"}));
}

TEST(Expression, WhatIsWrongIsSaidWithItsColumn) {
  EXPECT_EQ(ErrorInExpression(""), "column 1: expected a number, a name or (, found the end");
  EXPECT_EQ(ErrorInExpression("1 +"), "column 4: expected a number, a name or (, found the end");
  EXPECT_EQ(ErrorInExpression("1 2"), "column 3: expected an operator or the end, found '2'");
  EXPECT_EQ(ErrorInExpression("(1"), "column 3: expected ), found the end");
  EXPECT_EQ(ErrorInExpression("min(1, )"), "column 8: expected a number, a name or (, found ')'");
  EXPECT_EQ(ErrorInExpression("1.2.3"), "column 1: expected a number as 20 or 0.5, found '1'");
  EXPECT_EQ(ErrorInExpression("2 * sin(1)"),
            "column 5: there is no function 'sin'; there are min, max, ceil and floor");
  EXPECT_EQ(ErrorInExpression("ceil(1, 2)"), "column 7: expected ), found ','");
}

TEST(Expression, IsBounded) {
  const std::string deep(Expression::kDepthMax, '(');
  EXPECT_NE(ErrorInExpression(deep + "1").find("within each other"), std::string::npos);
  EXPECT_NE(ErrorInExpression(std::string(500, '-') + "1").find("within each other"),
            std::string::npos);
  EXPECT_NE(ErrorInExpression(std::string(Expression::kLengthMax + 1, '1'))
                .find("at most 1000 characters"),
            std::string::npos);
}

TEST(Expression, WhatHasNoValueSaysSo) {
  EXPECT_EQ(ErrorInExpression("1 / (2 - 2)"), "it divides by zero");
  const std::string huge = "9" + std::string(200, '0');
  EXPECT_EQ(ErrorInExpression(huge + " * " + huge), "it is too large for a number");
}

// A random tree, its text with as few or as many parentheses as it likes, and its value.
class Tree {
 public:
  explicit Tree(Rng& rng) : rng_(rng) {}

  struct Made {
    std::string text;
    std::optional<double> value;  // None: it divides by zero.
    int binds = 3;                // 1: a sum, 2: a product, 3: neither.
  };

  Made Make(int depth) {
    if (depth == 0 || rng_.Below(4) == 0) return Leaf();
    switch (rng_.Below(6)) {
      case 0:
        return Binary(depth, '+', 1);
      case 1:
        return Binary(depth, '-', 1);
      case 2:
        return Binary(depth, '*', 2);
      case 3:
        return Binary(depth, '/', 2);
      case 4:
        return Call(depth);
      default: {
        const Made inner = Make(depth - 1);
        Made made{"-" + Wrapped(inner, 3), std::nullopt, 3};
        if (inner.value) made.value = -*inner.value;
        return made;
      }
    }
  }

 private:
  Made Leaf() {
    const auto number = static_cast<int>(rng_.Below(5));
    return {rng_.Below(2) == 0 ? "x" + std::to_string(number) : std::to_string(number),
            static_cast<double>(number)};
  }
  Made Binary(int depth, char sign, int binds) {
    const Made left = Make(depth - 1);
    const Made right = Make(depth - 1);
    Made made{
        Wrapped(left, binds) + (rng_.Below(2) == 0 ? " " : "") + sign + Wrapped(right, binds + 1),
        std::nullopt, binds};
    if (!left.value || !right.value || (sign == '/' && *right.value == 0)) return made;
    made.value = sign == '+'   ? *left.value + *right.value
                 : sign == '-' ? *left.value - *right.value
                 : sign == '*' ? *left.value * *right.value
                               : *left.value / *right.value;
    return made;
  }
  Made Call(int depth) {
    const Made a = Make(depth - 1);
    const Made b = Make(depth - 1);
    const bool known = a.value && b.value;
    switch (rng_.Below(4)) {
      case 0:
        return {"min(" + a.text + ", " + b.text + ")",
                known ? std::optional(std::min(*a.value, *b.value)) : std::nullopt};
      case 1:
        return {"max(" + a.text + "," + b.text + ")",
                known ? std::optional(std::max(*a.value, *b.value)) : std::nullopt};
      case 2:
        return {"ceil(" + a.text + ")",
                a.value ? std::optional(std::ceil(*a.value)) : std::nullopt};
      default:
        return {"floor( " + a.text + " )",
                a.value ? std::optional(std::floor(*a.value)) : std::nullopt};
    }
  }
  std::string Wrapped(const Made& made, int binds) {
    return made.binds < binds || rng_.Below(4) == 0 ? "(" + made.text + ")" : made.text;
  }

  Rng& rng_;
};

TEST(Expression, IsWhatARandomTreeIs) {
  Rng rng(31);
  int worked = 0;
  for (int i = 0; i < 3000; ++i) {
    const Tree::Made made = Tree(rng).Make(4);
    const Result<Expression> parsed = Expression::Parse(made.text);
    ASSERT_TRUE(parsed.ok()) << made.text << ": " << parsed.status().message();
    const Result<double> value = parsed.value().Evaluate(
        [](std::string_view name) { return static_cast<double>(name[1] - '0'); });
    ASSERT_EQ(value.ok(), made.value.has_value()) << made.text;
    if (value.ok()) {
      EXPECT_EQ(value.value(), *made.value) << made.text;
      ++worked;
    }
  }
  EXPECT_GT(worked, 1000);
}

}  // namespace
}  // namespace berth
