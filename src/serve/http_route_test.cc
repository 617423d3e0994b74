#include "serve/http_route.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "berth/rng.h"

namespace berth {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// Any ASCII, and often what means something in a URL or takes several bytes.
std::string RandomText(Rng& rng) {
  constexpr std::string_view kSpecial = "/:?&=%+#{} .~";
  static const std::vector<std::string> kLong = {"\u00fc", "\u20ac", "\U0001f600"};
  std::string text;
  const std::uint64_t length = 1 + rng.Below(12);
  for (std::uint64_t i = 0; i < length; ++i) {
    switch (rng.Below(3)) {
      case 0:
        text += kSpecial[rng.Below(kSpecial.size())];
        break;
      case 1:
        text += kLong[rng.Below(kLong.size())];
        break;
      default:
        text += static_cast<char>(rng.Below(128));
    }
  }
  return text;
}

// What may stand as it is does so half of the time.
std::string Escaped(std::string_view text, Rng& rng) {
  std::string escaped;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    const auto byte = static_cast<unsigned char>(c);
    if (plain && rng.Below(2) == 0) {
      escaped += c;
    } else {
      escaped += rng.Below(2) == 0 ? fmt::format("%{:02x}", byte) : fmt::format("%{:02X}", byte);
    }
  }
  return escaped;
}

struct Target {
  std::string path;
  std::map<std::string, std::string> fields;
};

// The method's path with random text for each field.
Target RandomTarget(const Method& method, Rng& rng) {
  Target target;
  for (std::size_t i = 0; i < method.path.size(); ++i) {
    if (method.path[i] != '{') {
      target.path += method.path[i];
      continue;
    }
    const std::size_t end = method.path.find('}', i);
    const std::string field = method.path.substr(i + 1, end - i - 1);
    target.fields[field] = RandomText(rng);
    target.path += Escaped(target.fields[field], rng);
    i = end;
  }
  return target;
}

std::string TextOf(const Message& message, const std::string& field) {
  return message.GetReflection()->GetString(message,
                                            message.GetDescriptor()->FindFieldByName(field));
}

TEST(HttpRoute, EveryPathLeadsToItsOwnCallWithItsFieldsWhateverTheyHold) {
  Rng rng(1);
  for (const Method& method : Methods()) {
    for (int round = 0; round < 200; ++round) {
      const Target target = RandomTarget(method, rng);
      const Result<RoutedCall> call = RouteHttp(method.verb, target.path, "");
      ASSERT_TRUE(call.ok()) << method.verb << " " << target.path << ": "
                             << call.status().message();
      EXPECT_EQ(call.value().method, &method) << target.path;
      for (const auto& [field, value] : target.fields) {
        EXPECT_EQ(TextOf(*call.value().request, field), value) << target.path;
      }
    }
  }
}

TEST(HttpRoute, EveryPlainFieldCanBeGivenInTheQuery) {
  Rng rng(2);
  for (const Method& method : Methods()) {
    const auto* descriptor = method.descriptor->input_type();
    for (int i = 0; i < descriptor->field_count(); ++i) {
      const FieldDescriptor* field = descriptor->field(i);
      if (field->is_repeated() || field->cpp_type() != FieldDescriptor::CPPTYPE_STRING) continue;
      Target target = RandomTarget(method, rng);
      if (target.fields.contains(field->name())) continue;
      const std::string value = RandomText(rng);
      target.path += fmt::format("?{}={}", Escaped(field->name(), rng), Escaped(value, rng));
      const Result<RoutedCall> call = RouteHttp(method.verb, target.path, "");
      ASSERT_TRUE(call.ok()) << target.path << ": " << call.status().message();
      EXPECT_EQ(TextOf(*call.value().request, field->name()), value) << target.path;
    }
  }
}

TEST(HttpRoute, EveryNumberAndSwitchCanBeGivenInTheQuery) {
  Rng rng(3);
  for (const Method& method : Methods()) {
    const auto* descriptor = method.descriptor->input_type();
    for (int i = 0; i < descriptor->field_count(); ++i) {
      const FieldDescriptor* field = descriptor->field(i);
      if (field->is_repeated() || field->cpp_type() == FieldDescriptor::CPPTYPE_STRING ||
          field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
        continue;
      }
      const bool is_switch = field->cpp_type() == FieldDescriptor::CPPTYPE_BOOL;
      const std::string target = fmt::format("{}?{}={}", RandomTarget(method, rng).path,
                                             field->name(), is_switch ? "true" : "1");
      const Result<RoutedCall> call = RouteHttp(method.verb, target, "");
      ASSERT_TRUE(call.ok()) << target << ": " << call.status().message();
      const Message& request = *call.value().request;
      EXPECT_TRUE(request.GetReflection()->HasField(request, field)) << target;
    }
  }
}

TEST(HttpRoute, ReadsTimesAndFractionsOfTheQuery) {
  const auto samples = [](std::string_view query) {
    return RouteHttp("GET", fmt::format("/v1/samples?{}", query), "");
  };
  const Result<RoutedCall> call = samples("from_ms=1763561157000&to_ms=-1");
  ASSERT_TRUE(call.ok()) << call.status().message();
  const auto& request = static_cast<const v1::ListSamplesRequest&>(*call.value().request);
  EXPECT_EQ(request.from_ms(), 1'763'561'157'000);
  EXPECT_EQ(request.to_ms(), -1);
  for (const std::string_view wrong :
       {"from_ms=", "from_ms=soon", "from_ms=1.5", "from_ms=9223372036854775808"}) {
    EXPECT_EQ(samples(wrong).status().code(), Code::kInvalidArgument) << wrong;
  }
  const auto capacity = [](std::string_view query) {
    return RouteHttp("POST", fmt::format("/v1/capacity?{}", query), "");
  };
  const Result<RoutedCall> planned = capacity("quantile=0.9");
  ASSERT_TRUE(planned.ok()) << planned.status().message();
  EXPECT_EQ(static_cast<const v1::PlanCapacityRequest&>(*planned.value().request).quantile(), 0.9);
  for (const std::string_view wrong : {"quantile=", "quantile=most", "quantile=0.9x"}) {
    EXPECT_EQ(capacity(wrong).status().code(), Code::kInvalidArgument) << wrong;
  }
}

TEST(HttpRoute, ReadsNumbersSwitchesAndSpacesOfTheQuery) {
  const auto list = [](std::string_view query) {
    return RouteHttp("GET", fmt::format("/v1/instances?{}", query), "");
  };
  const Result<RoutedCall> call = list("page_size=7&pending=true&service=a+b%2Bc&machine");
  ASSERT_TRUE(call.ok()) << call.status().message();
  const auto& request = static_cast<const v1::ListInstancesRequest&>(*call.value().request);
  EXPECT_EQ(request.page_size(), 7U);
  EXPECT_TRUE(request.pending());
  EXPECT_EQ(request.service(), "a b+c");
  EXPECT_EQ(request.machine(), "");
  for (const std::string_view wrong :
       {"page_size=", "page_size=-1", "page_size=4294967296", "page_size=1x", "pending=1",
        "pending=", "colour=red", "=", "&", "service=%ff", "service=%c3%28", "service=%",
        "service=%4", "service=%4g", "%zz=1"}) {
    const Result<RoutedCall> refused = list(wrong);
    ASSERT_FALSE(refused.ok()) << wrong;
    EXPECT_EQ(refused.status().code(), Code::kInvalidArgument) << wrong;
  }
}

TEST(HttpRoute, ThePathSaysWhatIsMeantWhateverTheBodySays) {
  const Result<RoutedCall> call =
      RouteHttp("POST", "/v1/services/web:scale?idempotency_key=k",
                R"({"name": "other", "groups": [{"type": "t", "count": 2}]})");
  ASSERT_TRUE(call.ok()) << call.status().message();
  const auto& request = static_cast<const v1::ScaleServiceRequest&>(*call.value().request);
  EXPECT_EQ(request.name(), "web");
  EXPECT_EQ(request.idempotency_key(), "k");
  EXPECT_EQ(request.groups(0).count(), 2U);
}

TEST(HttpRoute, TellsAWrongPathFromAWrongVerb) {
  EXPECT_EQ(RouteHttp("GET", "/v1/nothing", "").status().code(), Code::kNotFound);
  EXPECT_EQ(RouteHttp("GET", "", "").status().code(), Code::kNotFound);
  EXPECT_EQ(RouteHttp("GET", "/v1/services/", "").status().code(), Code::kNotFound);
  EXPECT_EQ(RouteHttp("GET", "/v1/services/a:b", "").status().code(), Code::kNotFound);
  EXPECT_EQ(RouteHttp("PUT", "/v1/services", "").status().code(), Code::kUnimplemented);
  EXPECT_EQ(RouteHttp("get", "/v1/services", "").status().code(), Code::kUnimplemented);
}

TEST(HttpRoute, SaysWhatIsWrongWithABodyInOneLine) {
  for (const std::string_view body : {"{", "[]", "7", R"({"service": 5})", R"({"colour": 1})",
                                      "{\n\n\n]", "\xff", R"({"service": {"name": "\ud800"}})"}) {
    const Result<RoutedCall> call = RouteHttp("POST", "/v1/services", body);
    ASSERT_FALSE(call.ok()) << body;
    EXPECT_EQ(call.status().code(), Code::kInvalidArgument) << body;
    EXPECT_EQ(call.status().message().find('\n'), std::string::npos) << call.status().message();
    EXPECT_TRUE(call.status().message().starts_with("the body is no CreateServiceRequest: "));
  }
}

TEST(HttpRoute, AnErrorIsJsonWhateverItsMessageHolds) {
  EXPECT_EQ(ErrorToJson({Code::kNotFound, "no \"x\"\n"}),
            R"({"error":{"code":"not_found","message":"no \"x\"\n"}})");
  EXPECT_EQ(HttpCode(Code::kUnauthenticated), 401);
  EXPECT_EQ(HttpCode(Code::kPermissionDenied), 403);
  EXPECT_EQ(HttpCode(Code::kResourceExhausted), 429);
  EXPECT_EQ(HttpCode(Code::kInternal), 500);
}

}  // namespace
}  // namespace berth
