#include <fmt/format.h>

#include "base/text.h"
#include "berth/resources.h"
#include "cli/client.h"
#include "cli/commands/builtin.h"
#include "serve/messages.h"

namespace berth {
namespace {

// "cpu=4,memory=16Gi"
Result<Resources> ReadLimit(const std::string& text) {
  Resources limit;
  for (const std::string_view part : Split(text, ',')) {
    const std::size_t equals = part.find('=');
    const std::string_view name = part.substr(0, equals);
    bool known = false;
    for (const Resource r : kAllResources) {
      if (equals == std::string_view::npos || ResourceName(r) != name) continue;
      BERTH_TRY(limit[r], ParseAmount(r, part.substr(equals + 1)));
      known = true;
    }
    if (!known) {
      return Status(Code::kInvalidArgument,
                    fmt::format("--limit: {} is no amount of a resource; write it like "
                                "cpu=4,memory=16Gi",
                                Quoted(part)));
    }
  }
  return limit;
}

int RunServiceResize(const Invocation& given, Console& console) {
  const Result<Resources> limit = ReadLimit(given.Text("--limit"));
  if (!limit.ok()) return console.Fail(limit.status());
  const Result<std::unique_ptr<Client>> client = Client::Connect(given);
  if (!client.ok()) return console.Fail(client.status());
  v1::ResizeServiceRequest request;
  request.set_name(given.Text("NAME"));
  request.set_type(given.Text("--type"));
  request.set_idempotency_key(NewIdempotencyKey());
  ToMessage(limit.value(), *request.mutable_limit());
  return PrintOutcome(given, console,
                      client.value()->Call(&v1::Berth::Stub::ResizeService, request));
}

}  // namespace

Command ServiceResize() {
  return {.words = "service resize",
          .summary = "give all instances of a type in a service another limit",
          .arguments = {{"NAME", "the service's name"}},
          .options = {{"--type", "TYPE", "whose instances", true},
                      {"--limit", "AMOUNTS", "like cpu=4,memory=16Gi", true},
                      kServerOption,
                      kTokenOption,
                      kCaOption,
                      kCertOption,
                      kJsonOption},
          .examples = {"berth service resize web --type D2 --limit cpu=1,memory=4Gi"},
          .run = RunServiceResize};
}

}  // namespace berth
