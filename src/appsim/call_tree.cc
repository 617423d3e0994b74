#include "appsim/call_tree.h"

#include <fmt/format.h>

#include "base/text.h"

namespace berth {

Result<std::vector<AppCall>> UnfoldCalls(const AppModel& model, const AppRequestType& type) {
  std::vector<AppCall> calls = {{.service = static_cast<std::uint32_t>(type.entry)}};
  for (std::uint32_t i = 0; i < calls.size(); ++i) {
    calls[i].first_child = static_cast<std::uint32_t>(calls.size());
    for (const std::size_t next : model.services[calls[i].service].next) {
      if (!type.visits.empty() && !type.visits[next]) continue;
      calls.push_back({.service = static_cast<std::uint32_t>(next), .parent = i});
      ++calls[i].children;
    }
    if (calls.size() > kAppCallsMax) {
      return Status(Code::kInvalidArgument,
                    fmt::format("a request of type {} leads to more than {} calls; let it visit "
                                "fewer services",
                                Quoted(type.name), FormatCount(kAppCallsMax)));
    }
  }
  return calls;
}

}  // namespace berth
