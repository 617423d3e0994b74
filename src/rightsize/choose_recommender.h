// Recommenders as they are named on command lines and in settings: one of recommenders.def,
// `external:PROGRAM`, a program of the user's, or `weekly:` before either. In policies a program is
// one that the server was started with, by its name.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rightsize/external_program.h"
#include "rightsize/live_program.h"
#include "rightsize/program_names.h"
#include "rightsize/recommender.h"
#include "rightsize/weekly.h"

namespace berth {

struct ChosenRecommender {
  std::string name;
  std::function<std::unique_ptr<Recommender>(const Sized& sized)> make;
};

// Whether there is one of that name; of a program, whether one is named.
Status CheckRecommenderName(std::string_view name);

// As a policy names it.
Status CheckLiveRecommender(std::string_view name, const ProgramNames& programs);
// One that never waits. The name was checked; a program that is not there says nothing.
std::unique_ptr<Recommender> MakeLiveRecommender(std::string_view name, const Sized& sized,
                                                 const ProgramDesk& desk);

// Each program is started once, with the first that asks for it.
class RecommenderChoice {
 public:
  Result<ChosenRecommender> Find(std::string_view name);
  // What went wrong with programs so far, a sentence each.
  std::vector<std::string> Troubles() const;

 private:
  std::map<std::string, std::shared_ptr<ExternalProgram>, std::less<>> programs_;
};

}  // namespace berth
