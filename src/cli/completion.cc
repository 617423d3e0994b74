#include "cli/completion.h"

#include <algorithm>

#include "base/text.h"

namespace berth {
namespace {

CompletionLevel& LevelOf(std::vector<CompletionLevel>& levels, const std::string& words) {
  const auto at = std::ranges::find(levels, words, &CompletionLevel::words);
  if (at != levels.end()) return *at;
  levels.push_back({.words = words, .commands = {}, .options = {}});
  return levels.back();
}

void Add(std::vector<CompletionLevel>& levels, const Command& command) {
  const std::vector<std::string_view> words = Split(command.words, ' ');
  std::string so_far;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view about = i + 1 == words.size() ? command.summary : GroupSummary(words[i]);
    std::vector<CompletionLevel::Choice>& commands = LevelOf(levels, so_far).commands;
    if (std::ranges::find(commands, words[i], &CompletionLevel::Choice::name) == commands.end()) {
      commands.push_back({.name = std::string(words[i]), .about = std::string(about)});
    }
    so_far.append(" ").append(words[i]);
  }
  CompletionLevel& leaf = LevelOf(levels, so_far);
  leaf.options = command.options;
  leaf.takes_file =
      std::ranges::find(command.arguments, "FILE", &Argument::name) != command.arguments.end();
}

}  // namespace

std::vector<CompletionLevel> CompletionLevels() {
  std::vector<CompletionLevel> levels;
  for (const Command& command : AllCommands()) Add(levels, command);
  for (CompletionLevel& level : levels) {
    if (level.words.empty()) {
      level.options.push_back({"--version", "", "print the version"});
    }
    level.options.push_back({"--help", "", "print help"});
  }
  return levels;
}

PathKind PathKindOf(const Option& option) {
  if (option.value == "FILE" || option.value == "WHERE") return PathKind::kFile;
  return option.value == "DIR" ? PathKind::kFolder : PathKind::kNone;
}

std::string ShellQuoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted.push_back(c);
    }
  }
  return quoted + "'";
}

}  // namespace berth
