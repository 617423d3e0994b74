#include "forecast/plugin_names.h"

#include <fmt/format.h>

#include "base/text.h"

namespace berth {

Status NoneNamed(std::string_view kind, std::string_view name,
                 const std::vector<std::string_view>& known) {
  return {Code::kInvalidArgument, fmt::format("there is no {} {}; the {}s are {}", kind,
                                              Quoted(name), kind, fmt::join(known, ", "))};
}

}  // namespace berth
