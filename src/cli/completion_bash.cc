#include <fmt/format.h>

#include "cli/completion.h"

namespace berth {
namespace {

// Finds out where the cursor is. Bash splits words at colons too, so the line is read anew.
constexpr std::string_view kBashBegin =
    R"(# Completion of berth for bash; 'berth completion bash' wrote it.
_berth() {
  local line=${COMP_LINE:0:COMP_POINT} current= chosen= word
  local -a words
  read -ra words <<< "$line"
  if [[ $line != *[[:space:]] ]]; then
    current=${words[-1]}
    unset 'words[-1]'
  fi
  for word in "${words[@]:1}"; do
    case "$chosen $word" in
)";

constexpr std::string_view kBashAfterWalk = R"( ) chosen+=" $word" ;;
      *) break ;;
    esac
  done
  local offered= paths=
  case "$chosen ${words[-1]}" in
)";

constexpr std::string_view kBashBetween = R"(    *)
      case "$chosen" in
)";

// What follows a colon is a path; bash wants only what comes after the last colon.
constexpr std::string_view kBashEnd = R"(      esac ;;
  esac
  local before= rest=$current
  if [[ $offered == *: && $current == *:* ]]; then
    before=${current%%:*}:
    rest=${current#*:}
    offered=
  fi
  COMPREPLY=()
  mapfile -t COMPREPLY < <(
    compgen -W "$offered" -- "$rest"
    [[ $paths == file ]] && compgen -f -- "$rest"
    [[ $paths == folder ]] && compgen -d -- "$rest")
  [[ $paths ]] && compopt -o filenames 2> /dev/null
  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *: ]] && compopt -o nospace 2> /dev/null
  if [[ $before && $COMP_WORDBREAKS != *:* ]]; then
    COMPREPLY=("${COMPREPLY[@]/#/$before}")
  fi
}
complete -F _berth berth
)";

std::string BashPathWord(PathKind kind) {
  switch (kind) {
    case PathKind::kFile:
      return " paths=file";
    case PathKind::kFolder:
      return " paths=folder";
    case PathKind::kNone:
      return "";
  }
  return "";
}

std::string Joined(const std::vector<std::string>& words) {
  std::string joined;
  for (const std::string& word : words) joined += (joined.empty() ? "" : " ") + word;
  return joined;
}

// After an option that takes a value.
std::string BashValueLines(const CompletionLevel& level) {
  std::string lines;
  for (const Option& option : level.options) {
    if (option.value.empty()) continue;
    const std::vector<std::string> known =
        option.known == nullptr ? std::vector<std::string>() : option.known();
    lines += fmt::format("    {}) offered={}{} ;;\n",
                         ShellQuoted(fmt::format("{} {}", level.words, option.name)),
                         ShellQuoted(Joined(known)), BashPathWord(PathKindOf(option)));
  }
  return lines;
}

// Commands, or a command's file; options where there is neither, or one was begun.
std::string LevelLine(const CompletionLevel& level) {
  std::vector<std::string> commands;
  for (const CompletionLevel::Choice& choice : level.commands) commands.push_back(choice.name);
  std::vector<std::string> options;
  for (const Option& option : level.options) options.emplace_back(option.name);
  const bool only_options = commands.empty() && !level.takes_file;
  const std::string first = fmt::format("offered={}{}", ShellQuoted(Joined(commands)),
                                        level.takes_file ? " paths=file" : "");
  const std::string others = fmt::format("offered={}", ShellQuoted(Joined(options)));
  if (only_options) return fmt::format("        {}) {} ;;\n", ShellQuoted(level.words), others);
  return fmt::format("        {}) if [[ $current == -* ]]; then {}; else {}; fi ;;\n",
                     ShellQuoted(level.words), others, first);
}

}  // namespace

std::string BashCompletion() {
  const std::vector<CompletionLevel> levels = CompletionLevels();
  std::string known;
  std::string values;
  std::string places;
  for (const CompletionLevel& level : levels) {
    if (!level.words.empty()) {
      known += fmt::format("{}{}", known.empty() ? "      " : " | ", ShellQuoted(level.words));
    }
    values += BashValueLines(level);
    places += LevelLine(level);
  }
  return fmt::format("{}{}{}{}{}{}{}", kBashBegin, known, kBashAfterWalk, values, kBashBetween,
                     places, kBashEnd);
}

}  // namespace berth
