#include <fmt/format.h>

#include "base/text.h"
#include "cli/client.h"
#include "cli/commands/builtin.h"
#include "cli/output.h"

namespace berth {
namespace {

constexpr std::uint32_t kRecommendationsPage = 1000;

std::string Others(const v1::Recommendation& one, Resource resource) {
  std::string text;
  for (const v1::OtherAdvice& other : one.others()) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", other.recommender(),
                        FormatAmount(resource, other.target()));
  }
  return text.empty() ? "-" : text;
}

void AddRow(const v1::Recommendation& one, Table& table) {
  const Resource resource =
      one.resource() == ResourceName(Resource::kCpu) ? Resource::kCpu : Resource::kMemory;
  const auto amount = [&](std::int64_t value) {
    return one.resource() == "replicas" ? std::to_string(value) : FormatAmount(resource, value);
  };
  table.rows.push_back({one.service(), one.type(), one.resource(), amount(one.now()),
                        amount(one.target()), amount(one.lower()), amount(one.upper()), one.mode(),
                        one.recommender(), Others(one, resource), one.why(),
                        one.held_back().empty() ? "-" : one.held_back()});
}

// What a roll-out came to so far; nothing if there is none.
std::string RolloutNote(const v1::RecommendationList& list) {
  std::string note;
  for (const v1::SizingArm& arm : list.arms()) {
    note += fmt::format(
        "{}{} ({}): {}, {} windows of instances, {} out of memory, {} above their "
        "limits",
        note.empty() ? "Roll-out: " : "; ", arm.name(), arm.recommender(),
        Plural(arm.services(), "service"), FormatCount(arm.instance_windows()),
        FormatCount(arm.out_of_memory()), FormatCount(arm.overruns()));
  }
  if (!list.rolled_back().empty()) note += fmt::format(". Rolled back: {}", list.rolled_back());
  return note;
}

int RunGetRecommendations(const Invocation& invocation, Console& console) {
  const Result<std::unique_ptr<Client>> client = Client::Connect(invocation);
  if (!client.ok()) return console.Fail(client.status());
  Table table{.title = "Recommendations",
              .columns = {{.name = "service"},
                          {.name = "type"},
                          {.name = "resource"},
                          {.name = "now", .right_aligned = true},
                          {.name = "target", .right_aligned = true},
                          {.name = "lower", .right_aligned = true},
                          {.name = "upper", .right_aligned = true},
                          {.name = "mode"},
                          {.name = "recommender"},
                          {.name = "others say"},
                          {.name = "why"},
                          {.name = "held back because"}}};
  const std::size_t most = invocation.Number("--limit");
  v1::ListRecommendationsRequest request;
  if (invocation.Has("--service")) request.set_service(invocation.Text("--service"));
  request.set_page_size(kRecommendationsPage);
  bool more = false;
  do {
    const Result<v1::RecommendationList> listed =
        client.value()->Call(&v1::Berth::Stub::ListRecommendations, request);
    if (!listed.ok()) return console.Fail(listed.status());
    for (const v1::Recommendation& one : listed.value().recommendations()) {
      more = table.rows.size() == most;
      if (more) break;
      AddRow(one, table);
    }
    table.note = RolloutNote(listed.value());
    request.set_page_token(listed.value().next_page_token());
  } while (!more && !request.page_token().empty());
  return PrintTable(invocation, console, std::move(table), more);
}

}  // namespace

Command GetRecommendations() {
  return {.words = "get recommendations",
          .summary =
              "show what limits and counts should be by what was used, why, and who changes them",
          .arguments = {},
          .options = {{.name = "--service", .value = "NAME", .about = "of this service only"},
                      kServerOption,
                      kTokenOption,
                      kCaOption,
                      kCertOption,
                      kLimitOption,
                      kJsonOption},
          .examples = {"berth get recommendations", "berth get recommendations --json"},
          .run = RunGetRecommendations};
}

}  // namespace berth
