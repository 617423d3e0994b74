#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/replicator.h"
#include "engine/sizer.h"
#include "sim/scenario_expect.h"

namespace berth {
namespace {

using Texts = std::vector<std::string>;
// What is said of a service now, each with what it is about.
using Saying = std::function<Texts(const Situation&)>;

// "nothing" is expected of none of it, a text of at least one.
Result<Expectation> ReadSaid(Line& line, Saying say) {
  std::optional<std::string> wanted;
  if (!line.Take("nothing")) {
    BERTH_RETURN_IF_ERROR(line.Expect("because"));
    BERTH_TRY(wanted, line.Quoted());
  }
  return Expectation(
      [wanted, say = std::move(say)](const Situation& now) -> std::optional<std::string> {
        const Texts texts = say(now);
        const auto holds = [&](const std::string& text) {
          return text.find(*wanted) != std::string::npos;
        };
        const bool held = wanted ? std::ranges::any_of(texts, holds) : texts.empty();
        if (held) return std::nullopt;
        return texts.empty() ? "nothing is said" : fmt::format("{}", fmt::join(texts, "; "));
      });
}

Texts SaidOfSizes(const Situation& now, const std::string& service,
                  std::string LiveRecommendation::*said) {
  Texts texts;
  for (const LiveRecommendation& one : now.sizer.Recommendations({.service = service}).items) {
    if ((one.*said).empty()) continue;
    texts.push_back(fmt::format("{} {}", ResourceName(one.resource), one.*said));
  }
  return texts;
}

Texts SaidOfCount(const Situation& now, const std::string& service, std::string LiveCount::*said) {
  Texts texts;
  for (const LiveCount& one : now.replicator.Recommendations({.service = service}).items) {
    if (!(one.*said).empty()) texts.push_back(fmt::format("replicas {}", one.*said));
  }
  return texts;
}

}  // namespace

Result<Compared> ReadCompared(Line& line) {
  Compared compared;
  if (line.Take("above")) compared.how = Compared::How::kAbove;
  if (line.Take("below")) compared.how = Compared::How::kBelow;
  BERTH_TRY(compared.amounts, ReadSomeAmounts(line));
  return compared;
}

bool Compared::Holds(const Resources& found) const {
  return std::ranges::all_of(kAllResources, [&](Resource r) {
    if (amounts[r] < 0) return true;
    return how == How::kAbove   ? found[r] > amounts[r]
           : how == How::kBelow ? found[r] < amounts[r]
                                : found[r] == amounts[r];
  });
}

Result<Expectation> ReadAdvised(Line& line, const std::string& service) {
  if (line.Peek() == "nothing" || line.Peek() == "because") {
    return ReadSaid(line, [service](const Situation& now) {
      return SaidOfSizes(now, service, &LiveRecommendation::why);
    });
  }
  BERTH_TRY(const Compared wanted, ReadCompared(line));
  return Expectation([=](const Situation& now) -> std::optional<std::string> {
    std::map<TypeId, Resources> targets;
    for (const LiveRecommendation& one : now.sizer.Recommendations({.service = service}).items) {
      targets[one.type][one.resource] = one.advice.target;
    }
    if (targets.empty()) return fmt::format("nothing is recommended for {}", service);
    for (const auto& [type, target] : targets) {
      if (!wanted.Holds(target)) return fmt::format("{}: {}", type.str(), ShowAmounts(target));
    }
    return std::nullopt;
  });
}

Result<Expectation> ReadHeldBack(Line& line, const std::string& service) {
  return ReadSaid(line, [service](const Situation& now) {
    Texts texts = SaidOfSizes(now, service, &LiveRecommendation::held_back);
    std::ranges::move(SaidOfCount(now, service, &LiveCount::held_back), std::back_inserter(texts));
    return texts;
  });
}

Result<Expectation> ReadCounted(Line& line, const std::string& service) {
  if (line.Peek() == "nothing" || line.Peek() == "because") {
    return ReadSaid(line, [service](const Situation& now) {
      return SaidOfCount(now, service, &LiveCount::why);
    });
  }
  BERTH_TRY(const std::uint32_t wanted, line.Count("a number of replicas"));
  return Expectation([=](const Situation& now) -> std::optional<std::string> {
    for (const LiveCount& one : now.replicator.Recommendations({.service = service}).items) {
      if (one.count == wanted) return std::nullopt;
      if (one.count) return one.why;
    }
    return fmt::format("no count is recommended for {}", service);
  });
}

}  // namespace berth
