#include "rightsize/choose_recommender.h"

#include <utility>

#include "rightsize/external_recommender.h"

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

Result<ChosenRecommender> FindOwnRecommender(std::string_view name) {
  if (name.starts_with(kWeeklyPrefix)) {
    BERTH_TRY(ChosenRecommender inner, FindOwnRecommender(name.substr(kWeeklyPrefix.size())));
    return Weekly(std::move(inner));
  }
  if (name.starts_with(kExternalPrefix)) {
    return Status(Code::kInvalidArgument,
                  "a server asks no programs; `berth recommend` and rehearsals do");
  }
  BERTH_TRY(const RecommenderEntry entry, FindRecommender(name));
  return ChosenRecommender{.name = std::string(name), .make = entry.make};
}

Result<ChosenRecommender> RecommenderChoice::Find(std::string_view name) {
  BERTH_RETURN_IF_ERROR(CheckRecommenderName(name));
  if (name.starts_with(kWeeklyPrefix)) {
    BERTH_TRY(ChosenRecommender inner, Find(name.substr(kWeeklyPrefix.size())));
    return Weekly(std::move(inner));
  }
  if (!name.starts_with(kExternalPrefix)) return FindOwnRecommender(name);
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
