// Completion scripts for shells, written from the table of commands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"

namespace berth {

// What can follow a place in the table of commands.
struct CompletionLevel {
  struct Choice {
    std::string name;
    std::string about;
  };

  std::string words;             // " scenario run": each word after a space; empty at the top.
  std::vector<Choice> commands;  // Empty where a command ends.
  std::vector<Option> options;   // Of that command.
  bool takes_file = false;       // An argument is a file's name.
};

// From the top down; each level comes before those below it.
std::vector<CompletionLevel> CompletionLevels();

enum class PathKind : std::uint8_t { kNone, kFile, kFolder };
// What an option's value names, by the word that its help shows.
PathKind PathKindOf(const Option& option);

// In single quotes, as bash and zsh read it.
std::string ShellQuoted(std::string_view text);

std::string BashCompletion();
std::string ZshCompletion();

}  // namespace berth
