// A subcommand: what it is called, what it takes, and what it does.
//
// To add one, write src/cli/commands/NAME.cc with a function that returns its Command, and name
// both in commands/commands.def. Help, errors and the command tree follow from the description.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "cli/console.h"

namespace berth {

// What is given in order.
struct Argument {
  std::string_view name;  // "FILE"
  std::string_view about;
  bool many = false;      // One or more of it; the last argument only.
  bool optional = false;  // It may be left out; the last argument only.
};

struct Option {
  std::string_view name;   // "--store"
  std::string_view value;  // "DIR"; "N" must be a whole number; empty: a switch.
  std::string_view about;
  bool required = false;
  std::string_view otherwise = {};  // The value when it is not given.
  // Values that a shell may offer. One that ends in a colon begins a value: "rocksdb:".
  std::vector<std::string> (*known)() = nullptr;
  bool many = false;  // It may be given more than once.
};

// What a command was called with.
class Invocation {
 public:
  bool Has(std::string_view name) const { return values_.contains(name) || lists_.contains(name); }
  // Of an argument or option that is required, has a default, or was given.
  const std::string& Text(std::string_view name) const;
  // Of an argument or option that there may be many of, and that was given.
  const std::vector<std::string>& Texts(std::string_view name) const;
  std::uint64_t Number(std::string_view name) const;
  Result<std::uint32_t> NumberWithin(std::string_view name, std::uint32_t least,
                                     std::uint32_t most) const;
  void Set(std::string_view name, std::string value) {
    values_[std::string(name)] = std::move(value);
  }
  void Set(std::string_view name, std::vector<std::string> values) {
    lists_[std::string(name)] = std::move(values);
  }

 private:
  std::map<std::string, std::string, std::less<>> values_;
  std::map<std::string, std::vector<std::string>, std::less<>> lists_;
};

enum ExitCode : int { kExitOk = 0, kExitRefused = 1, kExitUsage = 2 };

struct Command {
  std::string_view words;  // "scenario run"
  std::string_view summary;
  std::vector<Argument> arguments;
  std::vector<Option> options;
  std::vector<std::string_view> examples;  // Each runs from the top of the tree.
  int (*run)(const Invocation& invocation, Console& console);
};

// What to type to do it again: the options given, but for those named.
std::string CommandLine(const Command& command, const Invocation& given,
                        std::initializer_list<std::string_view> but);

// Of a word of the tree that has commands below it.
std::string_view GroupSummary(std::string_view word);

// In the order of commands.def.
const std::vector<Command>& AllCommands();

// "rocksdb:": the stores that keep what they hold, before their place.
std::vector<std::string> KnownStores();

// The options that many commands share.
inline constexpr Option kJsonOption = {"--json", "", "print JSON, for programs"};
inline constexpr Option kStoreOption = {
    "--store", "DIR", "the store's directory, also written rocksdb:DIR, or etcd:HOST:PORT/PREFIX",
    true,      {},    KnownStores};

}  // namespace berth
