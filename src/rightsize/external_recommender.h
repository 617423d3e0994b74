// A vertical recommender that is a program of the user's.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "rightsize/external_program.h"
#include "rightsize/recommender.h"

namespace berth {

// What a program said last of a limit, and the state that it wants to be told again.
struct ExternalSize {
  std::optional<SizeAdvice> advice = {};
  std::string why = {};
  std::string state = {};

  // An answer that makes no sense is an error, and changes nothing.
  Status Take(const Node& answer);
  std::string WhySo(Resource resource) const;
  std::string Save() const;
  static Result<ExternalSize> Read(std::string_view bytes);
};

// What a program is told of a limit, as ExternalTalk wants it.
std::string SizeStart(const Sized& sized);
std::string WindowLine(const UsageWindow& window);
std::string OomLine(std::int64_t used, Time at);

// Waits for every answer.
std::unique_ptr<Recommender> NewExternalRecommender(std::shared_ptr<ExternalProgram> program,
                                                    const Sized& sized);

}  // namespace berth
