#include <fmt/format.h>

#include "berth/change.h"
#include "cli/client.h"
#include "cli/commands/builtin.h"

namespace berth {
namespace {

// The service's groups with another count: of the type named, or of the only one there is.
Status SetCount(const Invocation& given, const v1::Service& service,
                v1::ScaleServiceRequest& request) {
  const std::uint64_t count = given.Number("--count");
  if (count > kGangMax) {
    return {Code::kInvalidArgument,
            fmt::format("--count must be at most {}, not {}", kGangMax, count)};
  }
  if (!given.Has("--type") && service.groups_size() > 1) {
    return {Code::kInvalidArgument,
            fmt::format("service {} has instances of several types; say which with --type",
                        service.name())};
  }
  bool found = false;
  for (v1::Group group : service.groups()) {
    if (!given.Has("--type") || group.type() == given.Text("--type")) {
      group.set_count(static_cast<std::uint32_t>(count));
      found = true;
    }
    *request.add_groups() = group;
  }
  if (found) return {};
  return {Code::kNotFound, fmt::format("service {} has no instances of type {}", service.name(),
                                       given.Text("--type"))};
}

int RunServiceScale(const Invocation& given, Console& console) {
  const Result<std::unique_ptr<Client>> client = Client::Connect(given);
  if (!client.ok()) return console.Fail(client.status());
  v1::GetServiceRequest get;
  get.set_name(given.Text("NAME"));
  const auto now = client.value()->Call(&v1::Berth::Stub::GetService, get);
  if (!now.ok()) return console.Fail(now.status());
  v1::ScaleServiceRequest request;
  request.set_name(given.Text("NAME"));
  request.set_idempotency_key(NewIdempotencyKey());
  if (const Status status = SetCount(given, now.value().service(), request); !status.ok()) {
    return console.Fail(status);
  }
  return PrintOutcome(given, console,
                      client.value()->Call(&v1::Berth::Stub::ScaleService, request));
}

}  // namespace

Command ServiceScale() {
  return {.words = "service scale",
          .summary = "give a service more or fewer instances",
          .arguments = {{"NAME", "the service's name"}},
          .options = {{"--count", "N", "how many there should be", true},
                      {"--type", "TYPE", "of which type, if it has several"},
                      kServerOption,
                      kTokenOption,
                      kCaOption,
                      kCertOption,
                      kJsonOption},
          .examples = {"berth service scale web --count 6"},
          .run = RunServiceScale};
}

}  // namespace berth
