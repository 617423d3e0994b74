// A horizontal recommender that is a program of the user's: docs/external.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "rightsize/external_program.h"
#include "scale/scaler.h"

namespace berth {

// What a program said last of a count, and the state that it wants to be told again.
struct ExternalCount {
  std::optional<std::uint32_t> count = {};
  std::string why = {};
  std::string state = {};

  // An answer that makes no sense is an error, and changes nothing.
  Status Take(const Node& answer);
  std::string WhySo() const;
  std::string Save() const;
  static Result<ExternalCount> Read(std::string_view bytes);
};

// What a program is told of a count, as ExternalTalk wants it; in rehearsal the service is nobody.
std::string CountStart(const ScalerBasis& basis, std::string_view service);
std::string LoadLine(const ReplicaLoad& load);

// Waits for every answer.
std::unique_ptr<Scaler> NewExternalScaler(std::shared_ptr<ExternalProgram> program,
                                          const ScalerBasis& basis);

}  // namespace berth
