#include "rightsize/program_names.h"

#include <fmt/format.h>

#include "base/text.h"
#include "berth/name.h"
#include "rightsize/external_program.h"

namespace berth {

Status ProgramNames::Check(std::string_view external) const {
  const std::string_view name = external.substr(kExternalPrefix.size());
  if (!IsValidName(name)) {
    return {Code::kInvalidArgument,
            fmt::format("{} is no name of a program; a policy says external:NAME, and the server "
                        "is started with --program NAME=PATH",
                        Quoted(name))};
  }
  if (!known_ || known_->contains(name)) return {};
  return {Code::kInvalidArgument,
          fmt::format("there is no program {0} here; start the server with --program {1}=PATH",
                      Quoted(name), name)};
}

}  // namespace berth
