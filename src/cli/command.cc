#include "cli/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "berth/check.h"
#include "cli/commands/builtin.h"

namespace berth {

const std::string& Invocation::Text(std::string_view name) const {
  const auto at = values_.find(name);
  BERTH_CHECK(at != values_.end());
  return at->second;
}

const std::vector<std::string>& Invocation::Texts(std::string_view name) const {
  const auto at = lists_.find(name);
  BERTH_CHECK(at != lists_.end());
  return at->second;
}

std::uint64_t Invocation::Number(std::string_view name) const {
  const std::string& text = Text(name);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  BERTH_CHECK(error == std::errc() && end == text.data() + text.size());  // Checked when parsed.
  return number;
}

Result<std::uint32_t> Invocation::NumberWithin(std::string_view name, std::uint32_t least,
                                               std::uint32_t most) const {
  const std::uint64_t number = Number(name);
  if (number < least || number > most) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{} must be {} to {}, not {}", name, least, most, number));
  }
  return static_cast<std::uint32_t>(number);
}

std::string CommandLine(const Command& command, const Invocation& given,
                        std::initializer_list<std::string_view> but) {
  std::string line = fmt::format("berth {}", command.words);
  for (const Option& option : command.options) {
    if (!given.Has(option.name) || std::ranges::find(but, option.name) != but.end()) continue;
    if (option.many) {
      for (const std::string& value : given.Texts(option.name)) {
        line += fmt::format(" {} {}", option.name, value);
      }
    } else if (option.value.empty()) {
      line += fmt::format(" {}", option.name);
    } else if (given.Text(option.name) != option.otherwise) {
      line += fmt::format(" {} {}", option.name, given.Text(option.name));
    }
  }
  return line;
}

std::string_view GroupSummary(std::string_view word) {
  static const std::map<std::string_view, std::string_view> kSummaries = {
      {"scenario", "small text files that say what happens to a fleet and what must come of it"},
      {"policy", "the rules and classes in force"},
      {"model", "what applications deliver under which loads and limits, and which limits to set"},
      {"demand", "what instances of the past needed, for policies that look ahead"},
      {"fleet", "files that describe machines, types and tenants"},
      {"service", "files that describe services"},
      {"series", "series of numbers: smoothed, brought to longer steps, compared"},
      {"get", "what a store holds"},
      {"list", "what can be named in policies and on the command line"},
      {"simulate", "rehearsals on virtual time"},
      {"what-if", "what would come of a change to a store's fleet; changes nothing"},
      {"tune", "weights and settings chosen by rehearsal"},
      {"generate", "fleets, arrivals, usage, load and measurements from a seed"},
      {"usage", "what instances took, from where it is kept"},
      {"topology", "which services call which, and what that says about scaling them"},
      {"completion", "scripts that complete berth's commands in a shell"},
  };
  const auto at = kSummaries.find(word);
  return at == kSummaries.end() ? std::string_view("commands") : at->second;
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
