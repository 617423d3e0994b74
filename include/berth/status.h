// Status and Result<T>: how Berth reports an error a caller can act on.
//
// A refusal is not a Status: it is an answer (see decision.h). A broken invariant is not a Status
// either: it is a BERTH_CHECK, and it stops the process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace berth {

// Same numbers as gRPC's codes, so a server maps them with a cast.
enum class Code : std::uint8_t {
  kOk = 0,
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kNotFound = 5,
  kAlreadyExists = 6,
  kPermissionDenied = 7,
  kResourceExhausted = 8,
  kFailedPrecondition = 9,
  kAborted = 10,
  kOutOfRange = 11,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,
  kUnauthenticated = 16,
};

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Code code, std::string message) : code_(code), message_(std::move(message)) {}

  bool ok() const { return code_ == Code::kOk; }
  Code code() const { return code_; }
  const std::string& message() const { return message_; }

 private:
  Code code_ = Code::kOk;
  std::string message_;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}          // NOLINT(google-explicit-constructor)
  Result(Status status) : status_(std::move(status)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return value_.has_value(); }
  const Status& status() const { return status_; }
  T& value() & { return *value_; }
  const T& value() const& { return *value_; }
  T&& value() && { return *std::move(value_); }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace berth

#define BERTH_CONCAT_INNER(a, b) a##b
#define BERTH_CONCAT(a, b) BERTH_CONCAT_INNER(a, b)

// BERTH_TRY(auto x, F()): x = the value, or return the status.
#define BERTH_TRY(lhs, expr) BERTH_TRY_IMPL(BERTH_CONCAT(berth_try_, __LINE__), lhs, expr)
#define BERTH_TRY_IMPL(tmp, lhs, expr) \
  auto tmp = (expr);                   \
  if (!tmp.ok()) return tmp.status();  \
  lhs = std::move(tmp).value()

// BERTH_RETURN_IF_ERROR(F()): for functions that answer a bare Status.
#define BERTH_RETURN_IF_ERROR(expr)                      \
  do {                                                   \
    if (::berth::Status status = (expr); !status.ok()) { \
      return status;                                     \
    }                                                    \
  } while (false)
