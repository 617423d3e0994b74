#include "scale/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "berth/check.h"

namespace berth {

// By descent; every function reads one kind of part and appends its steps.
class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : text_(text) {}

  Result<Expression> Parse() && {
    if (text_.size() > Expression::kLengthMax) {
      return Status(Code::kInvalidArgument,
                    fmt::format("an expression has at most {} characters, this has {}",
                                Expression::kLengthMax, text_.size()));
    }
    Sum();
    SkipSpaces();
    if (status_.ok() && at_ < text_.size()) Fail("an operator or the end");
    if (!status_.ok()) return status_;
    return std::move(expression_);
  }

 private:
  using Operation = Expression::Operation;

  void Sum() {
    Product();
    for (;;) {
      if (Take('+')) {
        Product();
        Append(Operation::kAdd);
      } else if (Take('-')) {
        Product();
        Append(Operation::kSubtract);
      } else {
        return;
      }
    }
  }

  void Product() {
    Factor();
    for (;;) {
      if (Take('*')) {
        Factor();
        Append(Operation::kMultiply);
      } else if (Take('/')) {
        Factor();
        Append(Operation::kDivide);
      } else {
        return;
      }
    }
  }

  void Factor() {
    if (!status_.ok()) return;
    if (++depth_ > Expression::kDepthMax) {
      return FailWith(fmt::format("more than {} parts within each other", Expression::kDepthMax));
    }
    SkipSpaces();
    if (Take('-')) {
      Factor();
      Append(Operation::kNegate);
    } else if (Take('(')) {
      Sum();
      Expect(')');
    } else if (at_ < text_.size() && IsDigit(text_[at_])) {
      Number();
    } else if (at_ < text_.size() && IsLetter(text_[at_])) {
      NameOrCall();
    } else {
      Fail("a number, a name or (");
    }
    --depth_;
  }

  void Number() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (IsDigit(text_[at_]) || text_[at_] == '.')) ++at_;
    const Parsed<double> parsed = ParseNumber(text_.substr(begin, at_ - begin));
    if (parsed.error != std::errc()) {
      at_ = begin;
      return Fail("a number as 20 or 0.5");
    }
    expression_.steps_.push_back({.operation = Operation::kNumber, .number = parsed.value});
  }

  void NameOrCall() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (IsLetter(text_[at_]) || IsDigit(text_[at_]))) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (Take('(')) return Call(name, begin);
    std::vector<std::string>& names = expression_.names_;
    auto found = std::ranges::find(names, name);
    if (found == names.end()) found = names.insert(found, std::string(name));
    expression_.steps_.push_back(
        {.operation = Operation::kName, .name = static_cast<std::size_t>(found - names.begin())});
  }

  struct Function {
    std::string_view name;
    Operation operation;
    bool takes_many;
  };
  static constexpr std::array<Function, 4> kFunctions = {{{"min", Operation::kMin, true},
                                                          {"max", Operation::kMax, true},
                                                          {"ceil", Operation::kCeil, false},
                                                          {"floor", Operation::kFloor, false}}};

  void Call(std::string_view name, std::size_t begin) {
    const auto* const function = std::ranges::find(kFunctions, name, &Function::name);
    if (function == kFunctions.end()) {
      at_ = begin;
      return FailWith(
          fmt::format("there is no function {}; there are min, max, ceil and floor", Quoted(name)));
    }
    Sum();
    if (function->takes_many) {
      while (Take(',')) {
        Sum();
        Append(function->operation);
      }
    } else {
      Append(function->operation);
    }
    Expect(')');
  }

  static bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
  static bool IsLetter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
  }
  void SkipSpaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool Take(char c) {
    SkipSpaces();
    if (!status_.ok() || at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void Expect(char c) {
    if (!Take(c)) Fail(std::string_view(&c, 1));
  }
  void Append(Operation operation) { expression_.steps_.push_back({.operation = operation}); }

  void Fail(std::string_view wanted) {
    FailWith(fmt::format("expected {}, found {}", wanted,
                         at_ < text_.size() ? Quoted(text_.substr(at_, 1)) : "the end"));
  }
  void FailWith(std::string_view what) {
    if (!status_.ok()) return;
    status_ = Status(Code::kInvalidArgument, fmt::format("column {}: {}", at_ + 1, what));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  Expression expression_;
  Status status_;
};

Result<Expression> Expression::Parse(std::string_view text) {
  return ExpressionParser(text).Parse();
}

Result<double> Expression::Evaluate(
    const std::function<double(std::string_view name)>& value_of) const {
  std::vector<double> stack;
  stack.reserve(steps_.size());
  const auto pop = [&] {
    const double top = stack.back();
    stack.pop_back();
    return top;
  };
  for (const Step& step : steps_) {
    switch (step.operation) {
      case Operation::kNumber:
        stack.push_back(step.number);
        continue;
      case Operation::kName:
        stack.push_back(value_of(names_[step.name]));
        continue;
      case Operation::kNegate:
        stack.back() = -stack.back();
        continue;
      case Operation::kCeil:
        stack.back() = std::ceil(stack.back());
        continue;
      case Operation::kFloor:
        stack.back() = std::floor(stack.back());
        continue;
      case Operation::kAdd:
      case Operation::kSubtract:
      case Operation::kMultiply:
      case Operation::kDivide:
      case Operation::kMin:
      case Operation::kMax:
        break;
    }
    const double right = pop();
    double& left = stack.back();
    if (step.operation == Operation::kDivide && right == 0) {
      return Status(Code::kOutOfRange, "it divides by zero");
    }
    left = step.operation == Operation::kAdd        ? left + right
           : step.operation == Operation::kSubtract ? left - right
           : step.operation == Operation::kMultiply ? left * right
           : step.operation == Operation::kDivide   ? left / right
           : step.operation == Operation::kMin      ? std::min(left, right)
                                                    : std::max(left, right);
    if (!std::isfinite(left)) return Status(Code::kOutOfRange, "it is too large for a number");
  }
  BERTH_CHECK(stack.size() == 1);
  return stack.back();
}

}  // namespace berth
