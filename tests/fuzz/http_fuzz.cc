// HTTP requests: whatever verb, target and body come, they are a call with its message or an error
// of one line that is JSON; and a message that was read is written and read back the same.
//
// An input is the verb, the target and the body: the first two end at the first line breaks.
#include <google/protobuf/message.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "berth/check.h"
#include "fuzz/target.h"
#include "serve/http_route.h"

namespace {

std::string_view TakeLine(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth;  // NOLINT(google-build-using-namespace): one function.
  const std::string input(data, data + size);
  std::string_view rest = input;
  const std::string_view verb = TakeLine(rest);
  const std::string_view target = TakeLine(rest);
  const Result<RoutedCall> call = RouteHttp(verb, target, rest);
  if (!call.ok()) {
    const Code code = call.status().code();
    BERTH_CHECK(code == Code::kNotFound || code == Code::kUnimplemented ||
                code == Code::kInvalidArgument);
    BERTH_CHECK(call.status().message().find('\n') == std::string::npos);
    BERTH_CHECK(ErrorToJson(call.status()).starts_with(R"({"error":{"code":")"));
    return 0;
  }
  BERTH_CHECK(call.value().method->verb == verb);
  const google::protobuf::Message& request = *call.value().request;
  BERTH_CHECK(request.GetDescriptor() == call.value().method->descriptor->input_type());
  // What else the call needs can all be said in the body, so the path alone with it is the same.
  const std::string_view path = target.substr(0, target.find('?'));
  const Result<RoutedCall> again = RouteHttp(verb, path, ToJson(request));
  BERTH_CHECK(again.ok());
  BERTH_CHECK(again.value().request->SerializeAsString() == request.SerializeAsString());
  return 0;
}
