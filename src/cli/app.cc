// The only file that includes CLI11, which takes seconds to compile.
#include "cli/app.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>
#include <map>
#include <ostream>

#include "base/text.h"
#include "cli/commands/builtin.h"

namespace berth {
namespace {

std::string Examples(const std::vector<std::string_view>& examples) {
  std::string text = examples.size() == 1 ? "Example:" : "Examples:";
  for (const std::string_view example : examples) text += fmt::format("\n  {}", example);
  return text;
}

CLI::App* Find(CLI::App& app, const std::string& name) {
  const auto below = app.get_subcommands([&](CLI::App* a) { return a->get_name() == name; });
  return below.empty() ? nullptr : below.front();
}

// One parsed tree; CLI11 keeps references into the slots.
class Tree {
 public:
  Tree() : root_("Decides where every workload of a fleet runs, and says why.", "berth") {
    root_.require_subcommand(1);
    root_.set_help_flag("-h,--help", "print this help");
    root_.set_version_flag("--version", "", "print the version");
    root_.get_formatter()->column_width(34);
    for (const Command& command : AllCommands()) Add(command);
    root_.footer(Examples({AllCommands().front().examples.front(), "berth COMMAND --help"}));
    for (auto& [group, examples] : group_examples_) group->footer(Examples(examples));
  }

  CLI::App& root() { return root_; }

  // The command that was named, with what was given to it.
  const Command* Named(Invocation& invocation) const {
    for (const auto& [command, app, slots] : leaves_) {
      if (!app->parsed()) continue;
      for (const Slot& slot : slots) {
        if (!slot.values.empty()) {
          invocation.Set(slot.name, slot.values);
        } else if (slot.option->count() > 0 || !slot.value.empty()) {
          invocation.Set(slot.name, slot.value);
        }
      }
      return command;
    }
    return nullptr;
  }

 private:
  struct Slot {
    std::string_view name;
    std::string value;
    std::vector<std::string> values{};  // Of what there may be many of.
    bool given = false;
    CLI::Option* option = nullptr;
  };
  struct Leaf {
    const Command* command;
    CLI::App* app;
    std::deque<Slot> slots;  // Never move.
  };

  void Add(const Command& command) {
    CLI::App* app = &root_;
    const std::vector<std::string_view> words = Split(command.words, ' ');
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string word(words[i]);
      const bool last = i + 1 == words.size();
      CLI::App* below = Find(*app, word);
      if (below == nullptr) {
        below = app->add_subcommand(word, std::string(last ? command.summary : GroupSummary(word)));
        if (!last) below->require_subcommand(1);
      }
      if (!last) group_examples_[below].push_back(command.examples.front());
      app = below;
    }
    app->footer(Examples(command.examples));
    Leaf& leaf = leaves_.emplace_back(Leaf{&command, app, {}});
    for (const Argument& argument : command.arguments) {
      Slot& slot = leaf.slots.emplace_back(Slot{.name = argument.name, .value = {}});
      const std::string name(argument.name);
      const std::string about(argument.about);
      slot.option = argument.many ? app->add_option(name, slot.values, about)
                                  : app->add_option(name, slot.value, about);
      slot.option->required(!argument.optional)->option_text(" ");
    }
    for (const Option& option : command.options) AddOption(option, leaf);
  }

  static void AddOption(const Option& option, Leaf& leaf) {
    Slot& slot =
        leaf.slots.emplace_back(Slot{.name = option.name, .value = std::string(option.otherwise)});
    const std::string name(option.name);
    const std::string about(option.about);
    if (option.value.empty()) {
      slot.option = leaf.app->add_flag(name, slot.given, about);
      return;
    }
    // Each takes one value: what follows it is not its.
    slot.option = option.many
                      ? leaf.app->add_option(name, slot.values, about)->allow_extra_args(false)
                      : leaf.app->add_option(name, slot.value, about);
    slot.option->option_text(
        fmt::format("{}{}", option.value,
                    option.otherwise.empty() ? "" : fmt::format(" [{}]", option.otherwise)));
    if (option.required) slot.option->required();
    if (option.value == "N") {
      slot.option->check([](const std::string& text) {
        const bool digits = !text.empty() && text.size() <= 19 &&
                            text.find_first_not_of("0123456789") == std::string::npos;
        return digits ? std::string() : fmt::format("{} is not a whole number", Quoted(text));
      });
    }
  }

  CLI::App root_;
  std::deque<Leaf> leaves_;
  std::map<CLI::App*, std::vector<std::string_view>> group_examples_;
};

// "berth scenario run": what the deepest command is called.
std::string FullName(const std::vector<std::string>& words) {
  std::string name = "berth";
  for (const std::string& word : words) name += " " + word;
  return name;
}

// The commands that stand at a level of the tree.
std::vector<std::string> Below(CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* below : app.get_subcommands([](CLI::App*) { return true; })) {
    names.push_back(below->get_name());
  }
  return names;
}

// How deep the arguments lead into the tree, and a word that leads nowhere.
struct Walk {
  CLI::App* app;
  std::vector<std::string> words;
  std::string unknown;
};
Walk WalkDown(CLI::App& root, const std::vector<std::string>& arguments) {
  Walk walk{.app = &root, .words = {}, .unknown = {}};
  for (const std::string& argument : arguments) {
    if (argument.starts_with("-") || Below(*walk.app).empty()) break;
    CLI::App* below = Find(*walk.app, argument);
    if (below == nullptr) {
      walk.unknown = argument;
      break;
    }
    walk.app = below;
    walk.words.push_back(argument);
  }
  return walk;
}

std::string DidYouMean(const std::string& unknown, const std::vector<std::string>& known) {
  const auto nearest = std::ranges::min_element(
      known, {}, [&](const std::string& name) { return EditDistance(unknown, name); });
  const bool near = EditDistance(unknown, *nearest) <= std::max<std::size_t>(2, unknown.size() / 2);
  return near ? fmt::format("did you mean '{}'?", *nearest) : "";
}

int UsageError(Console& console, const Walk& walk, std::string_view what, std::string_view hint) {
  console.err << fmt::format("berth: {}; {}{}see '{} --help'\n", what, hint,
                             hint.empty() ? "" : " ", FullName(walk.words));
  return kExitUsage;
}

}  // namespace

int RunApp(const std::vector<std::string>& arguments, Console& console) {
  Tree tree;
  const Walk walk = WalkDown(tree.root(), arguments);
  if (!walk.unknown.empty()) {
    return UsageError(console, walk, fmt::format("there is no command {}", Quoted(walk.unknown)),
                      DidYouMean(walk.unknown, Below(*walk.app)));
  }
  try {
    tree.root().parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    const bool root = walk.words.empty();
    console.out << walk.app->help(root ? "" : FullName({walk.words.begin(), walk.words.end() - 1}))
                << '\n';
    return kExitOk;
  } catch (const CLI::CallForVersion&) {
    return Version().run({}, console);
  } catch (const CLI::ParseError& error) {
    return UsageError(console, walk, error.what(), "");
  }
  Invocation invocation;
  const Command* command = tree.Named(invocation);
  return command->run(invocation, console);
}

}  // namespace berth
