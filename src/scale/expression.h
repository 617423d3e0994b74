// A number worked out of named metrics: `ceil(queue / 20) + 1`. Not a script: numbers, names,
// + - * /, ( ), and min, max, ceil and floor; it always ends, and at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"

namespace berth {

class Expression {
 public:
  static constexpr std::size_t kLengthMax = 1000;
  static constexpr std::size_t kDepthMax = 32;  // Of parentheses, functions and signs.

  // An error says at which column.
  static Result<Expression> Parse(std::string_view text);

  // Each once, by name.
  const std::vector<std::string>& names() const { return names_; }

  // With the value of each name. What cannot be worked out, a division by zero or what is too large
  // for a number, is an error that says so.
  Result<double> Evaluate(const std::function<double(std::string_view name)>& value_of) const;

 private:
  friend class ExpressionParser;

  enum class Operation : std::uint8_t {
    kNumber,
    kName,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kNegate,
    kMin,
    kMax,
    kCeil,
    kFloor,
  };
  struct Step {
    Operation operation = Operation::kNumber;
    double number = 0;
    std::size_t name = 0;
  };

  std::vector<std::string> names_;
  std::vector<Step> steps_;  // Operands before what works on them.
};

}  // namespace berth
