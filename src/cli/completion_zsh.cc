#include <fmt/format.h>

#include "cli/completion.h"

namespace berth {
namespace {

constexpr std::string_view kZshBegin = R"(#compdef berth
# Completion of berth for zsh; 'berth completion zsh' wrote it.
_berth() {
  local chosen= word
  for word in "${(@)words[2,CURRENT-1]}"; do
    case "$chosen $word" in
      ()";

constexpr std::string_view kZshAfterWalk = R"() chosen+=" $word" ;;
      (*) break ;;
    esac
  done
  case "$chosen $words[CURRENT-1]" in
)";

constexpr std::string_view kZshBetween = R"(  esac
  local -a commands options
  local file=
  case "$chosen" in
)";

constexpr std::string_view kZshEnd = R"(  esac
  if [[ $PREFIX == -* || ( -z $commands && -z $file ) ]]; then
    _describe -o option options
  elif [[ -n $file ]]; then
    _files
  else
    _describe command commands
  fi
}

# The values that the option knows, which may end in a colon, and paths.
_berth_value() {
  local paths=$1
  shift
  if ! compset -P '[a-z0-9_]#:'; then
    local -a open=(${(M)@:#*:}) whole=(${@:#*:})
    (( $#open )) && compadd -S '' -- $open
    (( $#whole )) && compadd -- $whole
  fi
  case $paths in
    (file) _files ;;
    (folder) _files -/ ;;
  esac
}

# Read by compinit this file is the function; sourced it declares it.
if [[ $funcstack[1] == _berth ]]; then
  _berth "$@"
else
  compdef _berth berth
fi
)";

std::string_view ZshPathWord(PathKind kind) {
  switch (kind) {
    case PathKind::kFile:
      return "file";
    case PathKind::kFolder:
      return "folder";
    case PathKind::kNone:
      return "none";
  }
  return "none";
}

std::string ZshValueLines(const CompletionLevel& level) {
  std::string lines;
  for (const Option& option : level.options) {
    if (option.value.empty()) continue;
    std::string known;
    if (option.known != nullptr) {
      for (const std::string& word : option.known()) known += " " + ShellQuoted(word);
    }
    lines += fmt::format("    ({}) _berth_value {}{}; return ;;\n",
                         ShellQuoted(fmt::format("{} {}", level.words, option.name)),
                         ZshPathWord(PathKindOf(option)), known);
  }
  return lines;
}

std::string ZshLevelLines(const CompletionLevel& level) {
  std::string lines = fmt::format("    ({})\n", ShellQuoted(level.words));
  if (!level.commands.empty()) {
    lines += "      commands=(\n";
    for (const CompletionLevel::Choice& choice : level.commands) {
      lines += fmt::format("        {}\n", ShellQuoted(choice.name + ":" + choice.about));
    }
    lines += "      )\n";
  }
  lines += "      options=(\n";
  for (const Option& option : level.options) {
    lines +=
        fmt::format("        {}\n", ShellQuoted(fmt::format("{}:{}", option.name, option.about)));
  }
  lines += "      )\n";
  if (level.takes_file) lines += "      file=1\n";
  return lines + "      ;;\n";
}

}  // namespace

std::string ZshCompletion() {
  std::string known;
  std::string values;
  std::string places;
  for (const CompletionLevel& level : CompletionLevels()) {
    if (!level.words.empty()) {
      known += fmt::format("{}{}", known.empty() ? "" : "|", ShellQuoted(level.words));
    }
    values += ZshValueLines(level);
    places += ZshLevelLines(level);
  }
  return fmt::format("{}{}{}{}{}{}{}", kZshBegin, known, kZshAfterWalk, values, kZshBetween, places,
                     kZshEnd);
}

}  // namespace berth
