#include "serve/http_route.h"

#include <fmt/format.h>
#include <google/protobuf/util/json_util.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "serve/metrics.h"

namespace berth {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using Values = std::vector<std::pair<std::string, std::string>>;

std::optional<int> HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

// None: a '%' without two hexadecimal digits.
std::optional<std::string> Unescape(std::string_view text, bool plus_is_space) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_space) {
      plain += ' ';
    } else if (text[i] != '%') {
      plain += text[i];
    } else {
      if (i + 2 >= text.size()) return std::nullopt;
      const std::optional<int> high = HexDigit(text[i + 1]);
      const std::optional<int> low = HexDigit(text[i + 2]);
      if (!high || !low) return std::nullopt;
      plain += static_cast<char>(*high * 16 + *low);
      i += 2;
    }
  }
  return plain;
}

// Whether a path is as the pattern says, and what stands for each {field}.
bool Match(std::string_view pattern, std::string_view path, Values& values) {
  while (!pattern.empty()) {
    if (pattern.front() != '{') {
      if (path.empty() || path.front() != pattern.front()) return false;
      pattern.remove_prefix(1);
      path.remove_prefix(1);
      continue;
    }
    const std::size_t end = pattern.find('}');
    const std::string_view field = pattern.substr(1, end - 1);
    pattern.remove_prefix(end + 1);
    // Up to what follows in the pattern: names hold neither '/' nor ':'.
    const std::size_t length = std::min(path.find_first_of("/:"), path.size());
    const std::optional<std::string> value = Unescape(path.substr(0, length), false);
    if (!value || value->empty()) return false;
    values.emplace_back(field, *value);
    path.remove_prefix(length);
  }
  return path.empty();
}

Status SetField(Message& message, const std::string& name, const std::string& value) {
  const auto wrong = [&](std::string_view wants) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{} is {}; give {}", name, Quoted(value), wants));
  };
  const FieldDescriptor* field = message.GetDescriptor()->FindFieldByName(name);
  if (field == nullptr || field->is_repeated() ||
      field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
    return {Code::kInvalidArgument,
            fmt::format("{} has no field {}", message.GetDescriptor()->name(), Quoted(name))};
  }
  const auto* reflection = message.GetReflection();
  if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
    if (FindMalformedUtf8(value)) return wrong("UTF-8");  // As gRPC and JSON demand of all text.
    reflection->SetString(&message, field, value);
    return {};
  }
  if (field->cpp_type() == FieldDescriptor::CPPTYPE_BOOL) {
    if (value != "true" && value != "false") return wrong("true or false");
    reflection->SetBool(&message, field, value == "true");
    return {};
  }
  if (field->cpp_type() == FieldDescriptor::CPPTYPE_DOUBLE) {
    const Parsed<double> number = ParseNumber(value);
    if (number.error != std::errc()) return wrong("a number");
    reflection->SetDouble(&message, field, number.value);
    return {};
  }
  const Parsed<std::int64_t> parsed = ParseInteger(value);
  if (field->cpp_type() == FieldDescriptor::CPPTYPE_INT64) {
    if (parsed.error != std::errc()) return wrong("a whole number");
    reflection->SetInt64(&message, field, parsed.value);
    return {};
  }
  const bool whole = parsed.error == std::errc() && parsed.value >= 0;
  if (field->cpp_type() == FieldDescriptor::CPPTYPE_UINT32) {
    if (!whole || parsed.value > UINT32_MAX) return wrong("a whole number");
    reflection->SetUInt32(&message, field, static_cast<std::uint32_t>(parsed.value));
    return {};
  }
  if (field->cpp_type() == FieldDescriptor::CPPTYPE_UINT64) {
    if (!whole) return wrong("a whole number");
    reflection->SetUInt64(&message, field, static_cast<std::uint64_t>(parsed.value));
    return {};
  }
  return wrong("it in the body");
}

Status FillFromBody(Message& message, std::string_view body) {
  if (body.empty()) return {};
  google::protobuf::util::JsonParseOptions options;
  options.ignore_unknown_fields = false;
  const auto parsed =
      google::protobuf::util::JsonStringToMessage({body.data(), body.size()}, &message, options);
  if (parsed.ok()) return {};
  // The parser goes on with the text around the place, over several lines.
  std::string why(parsed.message());
  why.resize(std::min(why.find('\n'), why.size()));
  while (why.starts_with(": ")) why.erase(0, 2);
  return {Code::kInvalidArgument,
          fmt::format("the body is no {}: {}", message.GetDescriptor()->name(), why)};
}

Status FillFromQuery(Message& message, std::string_view query) {
  if (query.empty()) return {};
  for (const std::string_view part : Split(query, '&')) {
    const std::size_t equals = std::min(part.find('='), part.size());
    const auto name = Unescape(part.substr(0, equals), true);
    const auto value =
        Unescape(equals == part.size() ? std::string_view() : part.substr(equals + 1), true);
    if (!name || !value) {
      return {Code::kInvalidArgument,
              fmt::format("{} has a '%' without two hexadecimal digits", Quoted(part))};
    }
    BERTH_RETURN_IF_ERROR(SetField(message, *name, *value));
  }
  return {};
}

std::shared_ptr<Message> NewRequest(const Method& method) {
  return std::shared_ptr<Message>(google::protobuf::MessageFactory::generated_factory()
                                      ->GetPrototype(method.descriptor->input_type())
                                      ->New());
}

}  // namespace

Result<RoutedCall> RouteHttp(std::string_view verb, std::string_view target,
                             std::string_view body) {
  const std::size_t question = std::min(target.find('?'), target.size());
  const std::string_view path = target.substr(0, question);
  const std::string_view query =
      question == target.size() ? std::string_view() : target.substr(question + 1);
  std::string other_verbs;
  for (const Method& method : Methods()) {
    Values values;
    if (!Match(method.path, path, values)) continue;
    if (method.verb != verb) {
      other_verbs += (other_verbs.empty() ? "" : ", ") + method.verb;
      continue;
    }
    RoutedCall call{&method, NewRequest(method)};
    BERTH_RETURN_IF_ERROR(FillFromBody(*call.request, body));
    BERTH_RETURN_IF_ERROR(FillFromQuery(*call.request, query));
    // Last: whatever the body says, the path is what was meant.
    for (const auto& [name, value] : values) {
      BERTH_RETURN_IF_ERROR(SetField(*call.request, name, value));
    }
    return call;
  }
  if (!other_verbs.empty()) {
    return Status(Code::kUnimplemented, fmt::format("{} takes {}", Quoted(path), other_verbs));
  }
  return Status(Code::kNotFound,
                fmt::format("there is no {}; proto/berth.proto lists the paths", Quoted(path)));
}

std::string ToJson(const Message& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  options.always_print_primitive_fields = true;
  std::string json;
  const auto printed = google::protobuf::util::MessageToJsonString(message, &json, options);
  // Text that is not UTF-8 cannot be in a message that came through this API.
  return printed.ok() ? json : std::string("{}");
}

std::string ErrorToJson(const Status& status) {
  const nlohmann::ordered_json json = {
      {"error", {{"code", CodeName(status.code())}, {"message", status.message()}}}};
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

int HttpCode(Code code) {
  switch (code) {
    case Code::kOk:
      return 200;
    case Code::kInvalidArgument:
    case Code::kOutOfRange:
      return 400;
    case Code::kUnauthenticated:
      return 401;
    case Code::kPermissionDenied:
      return 403;
    case Code::kNotFound:
      return 404;
    case Code::kUnimplemented:
      return 405;
    case Code::kAlreadyExists:
    case Code::kAborted:
      return 409;
    case Code::kFailedPrecondition:
      return 412;
    case Code::kResourceExhausted:
      return 429;
    case Code::kUnavailable:
      return 503;
    case Code::kDeadlineExceeded:
      return 504;
    case Code::kInternal:
      break;
  }
  return 500;
}

}  // namespace berth
