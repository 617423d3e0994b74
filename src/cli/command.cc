#include "cli/command.h"

#include <charconv>

#include "berth/check.h"
#include "cli/commands/builtin.h"

namespace berth {

const std::string& Invocation::Text(std::string_view name) const {
  const auto at = values_.find(name);
  BERTH_CHECK(at != values_.end());
  return at->second;
}

std::uint64_t Invocation::Number(std::string_view name) const {
  const std::string& text = Text(name);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  BERTH_CHECK(error == std::errc() && end == text.data() + text.size());  // Checked when parsed.
  return number;
}

const std::vector<Command>& AllCommands() {
  static const std::vector<Command> kCommands = {
#define BERTH_COMMAND(file, describe) describe(),
#include "cli/commands/commands.def"
#undef BERTH_COMMAND
  };
  return kCommands;
}

}  // namespace berth
