#include "rightsize/choose_recommender.h"

#include <utility>

#include "berth/check.h"
#include "rightsize/external_recommender.h"
#include "rightsize/live_recommender.h"

namespace berth {
namespace {

ChosenRecommender Weekly(ChosenRecommender inner) {
  return {.name = std::string(kWeeklyPrefix) + inner.name,
          .make = [make = std::move(inner.make)](const Sized& sized) {
            return NewWeekly(make(sized), sized.resource);
          }};
}

}  // namespace

Status CheckRecommenderName(std::string_view name) {
  if (name.starts_with(kWeeklyPrefix)) name.remove_prefix(kWeeklyPrefix.size());
  if (!name.starts_with(kExternalPrefix)) return FindRecommender(name).status();
  if (name.size() > kExternalPrefix.size()) return {};
  return {Code::kInvalidArgument, "external: needs a program, as external:./my_recommender.py"};
}

Status CheckLiveRecommender(std::string_view name, const ProgramNames& programs) {
  if (name.starts_with(kWeeklyPrefix)) name.remove_prefix(kWeeklyPrefix.size());
  return name.starts_with(kExternalPrefix) ? programs.Check(name) : FindRecommender(name).status();
}

std::unique_ptr<Recommender> MakeLiveRecommender(std::string_view name, const Sized& sized,
                                                 const ProgramDesk& desk) {
  if (name.starts_with(kWeeklyPrefix)) {
    return NewWeekly(MakeLiveRecommender(name.substr(kWeeklyPrefix.size()), sized, desk),
                     sized.resource);
  }
  if (name.starts_with(kExternalPrefix)) return NewLiveRecommender(desk, name, sized);
  const Result<RecommenderEntry> entry = FindRecommender(name);
  BERTH_CHECK(entry.ok());
  return entry.value().make(sized);
}

Result<ChosenRecommender> RecommenderChoice::Find(std::string_view name) {
  BERTH_RETURN_IF_ERROR(CheckRecommenderName(name));
  if (name.starts_with(kWeeklyPrefix)) {
    BERTH_TRY(ChosenRecommender inner, Find(name.substr(kWeeklyPrefix.size())));
    return Weekly(std::move(inner));
  }
  if (!name.starts_with(kExternalPrefix)) {
    BERTH_TRY(const RecommenderEntry entry, FindRecommender(name));
    return ChosenRecommender{.name = std::string(name), .make = entry.make};
  }
  auto found = programs_.find(name);
  if (found == programs_.end()) {
    BERTH_TRY(std::shared_ptr<ExternalProgram> program,
              ExternalProgram::Open({std::string(name.substr(kExternalPrefix.size()))}));
    found = programs_.emplace(std::string(name), std::move(program)).first;
  }
  return ChosenRecommender{.name = std::string(name),
                           .make = [program = found->second](const Sized& sized) {
                             return NewExternalRecommender(program, sized);
                           }};
}

std::vector<std::string> RecommenderChoice::Troubles() const {
  std::vector<std::string> troubles;
  for (const auto& [name, program] : programs_) {
    if (std::string trouble = program->Trouble(); !trouble.empty()) {
      troubles.push_back(std::move(trouble));
    }
  }
  return troubles;
}

}  // namespace berth
