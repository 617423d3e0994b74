#include <ostream>

#include "apptopo/attachment.h"
#include "apptopo/write.h"
#include "cli/commands/builtin.h"

namespace berth {
namespace {

Result<ServiceGraph> DrawTopology(const Invocation& given) {
  BERTH_TRY(const AttachmentSet set, FindAttachmentSet(given.Text("--set")));
  BERTH_TRY(const std::uint32_t services,
            given.NumberWithin("--services", 1, kTopologyServicesMax));
  const CallDirection direction =
      given.Has("--one-entry") ? CallDirection::kToYounger : CallDirection::kToOlder;
  return AttachServices(set, services, direction, Rng(given.Number("--seed")));
}

int RunTopologyGenerate(const Invocation& given, Console& console) {
  const Result<ServiceGraph> graph = DrawTopology(given);
  if (!graph.ok()) return console.Fail(graph.status());
  console.out << (given.Has("--compose") ? WriteComposeFile(graph.value())
                                         : WriteEdgeList(graph.value()));
  return kExitOk;
}

std::vector<std::string> KnownAttachmentSets() {
  std::vector<std::string> known;
  known.reserve(kAttachmentSets.size());
  for (const AttachmentSet& set : kAttachmentSets) known.emplace_back(set.letter);
  return known;
}

}  // namespace

Command TopologyGenerate() {
  return {.words = "topology generate",
          .summary = "draw a topology by preferential attachment, and print its edges",
          .arguments = {},
          .options = {{"--set",
                       "NAME",
                       "A, B, C or D: the published pairs of power and appeal",
                       true,
                       {},
                       KnownAttachmentSets},
                      {"--services", "N", "how many", false, "20"},
                      {"--seed", "N", "of what is drawn", false, "1"},
                      {"--one-entry", "",
                       "calls lead from the first service to all others, rather "
                       "than to services that were there before"},
                      {"--compose", "", "print a Compose file"}},
          .examples = {"berth topology generate --set A --services 20 --seed 1",
                       "berth topology generate --set D --services 10 --one-entry --compose"},
          .run = RunTopologyGenerate};
}

}  // namespace berth
