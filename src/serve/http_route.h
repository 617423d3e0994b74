// From an HTTP request to a call: its path and query fill the fields of the message.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "berth/status.h"
#include "serve/method.h"

namespace berth {

struct RoutedCall {
  const Method* method = nullptr;
  std::shared_ptr<google::protobuf::Message> request;
};

// `target` is the path with its query, `body` JSON or empty. kNotFound: no such path;
// kUnimplemented: the path has other verbs.
Result<RoutedCall> RouteHttp(std::string_view verb, std::string_view target, std::string_view body);

// A message as the API's JSON.
std::string ToJson(const google::protobuf::Message& message);
// {"error": {"code": ..., "message": ...}}
std::string ErrorToJson(const Status& status);
int HttpCode(Code code);

}  // namespace berth
