#include <fmt/format.h>

#include <ostream>

#include "cli/client.h"
#include "cli/commands/builtin.h"
#include "serve/http_route.h"

namespace berth {
namespace {

// One line a commit: its revision, and what became of which record.
std::string InWords(const v1::Commit& commit) {
  std::string line = fmt::format("{}", commit.revision());
  for (const v1::RecordUpdate& update : commit.updates()) {
    if (update.has_decision()) {
      const v1::Decision& decision = update.decision();
      line +=
          fmt::format("  {} {} {}{}", decision.id(), decision.kind(), decision.subject(),
                      decision.has_refusal() ? " refused: " + decision.refusal().because() : "");
    } else if (update.removed()) {
      line += fmt::format("  {} gone", update.key());
    } else if (update.has_instance()) {
      line +=
          fmt::format("  {} {}", update.key(),
                      update.instance().machine().empty() ? std::string("waits")
                                                          : "on " + update.instance().machine());
    } else {
      line += fmt::format("  {}", update.key());
    }
  }
  return line;
}

Result<std::uint64_t> Begin(const Invocation& given, Client& client) {
  if (given.Has("--from")) return given.Number("--from");
  BERTH_TRY(const v1::HealthReply health,
            client.Call(&v1::Berth::Stub::Health, v1::HealthRequest()));
  return health.revision();
}

int RunWatch(const Invocation& given, Console& console) {
  const Result<std::unique_ptr<Client>> client = Client::Connect(given);
  if (!client.ok()) return console.Fail(client.status());
  const Result<std::uint64_t> from = Begin(given, *client.value());
  if (!from.ok()) return console.Fail(from.status());
  v1::WatchRequest request;
  request.set_from(from.value());
  grpc::ClientContext context;
  client.value()->Prepare(context);
  const auto stream = client.value()->stub().Watch(&context, request);
  v1::Commit commit;
  std::uint64_t left = given.Has("--limit") ? given.Number("--limit") : UINT64_MAX;
  while (left > 0 && stream->Read(&commit)) {
    if (commit.compacted() > 0) {
      return console.Fail(fmt::format("the log no longer reaches back to {}; watch from {}",
                                      from.value(), commit.compacted()));
    }
    console.out << (given.Has("--json") ? ToJson(commit) : InWords(commit)) << std::endl;
    --left;
  }
  if (left == 0) return kExitOk;
  return console.Fail(client.value()->ToStatus(stream->Finish()));
}

}  // namespace

Command WatchCommand() {
  return {.words = "watch",
          .summary = "print every commit as it happens",
          .arguments = {},
          .options = {{"--from", "N", "begin after this revision; without it, with what comes"},
                      {"--limit", "N", "stop after so many"},
                      kServerOption,
                      kTokenOption,
                      kCaOption,
                      kCertOption,
                      kJsonOption},
          .examples = {"berth watch --from 0 --limit 1"},
          .run = RunWatch};
}

}  // namespace berth
