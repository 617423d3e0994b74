#include "sim/scenario_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/decimal.h"
#include "base/text.h"

namespace berth {
namespace {

constexpr std::string_view kSeparators = ":,+";

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool StartsAmount(std::string_view word) {
  return !word.empty() && (std::isdigit(static_cast<unsigned char>(word.front())) != 0 ||
                           word.find('=') != std::string_view::npos);
}

struct Amount {
  Resource resource;
  std::string_view text;
};

// Which resource a word is about: "2cpu" and "1gpu" say so, "disk=10Gi" too, "10Gbit" can only be
// network, and anything else counts memory.
std::optional<Amount> SplitAmount(std::string_view word) {
  if (const std::size_t equals = word.find('='); equals != std::string_view::npos) {
    for (const Resource r : kAllResources) {
      if (word.substr(0, equals) == ResourceName(r)) return Amount{r, word.substr(equals + 1)};
    }
    return std::nullopt;
  }
  for (const Resource r : {Resource::kCpu, Resource::kGpu}) {
    if (word.ends_with(ResourceName(r))) {
      return Amount{r, word.substr(0, word.size() - ResourceName(r).size())};
    }
  }
  return Amount{word.ends_with("bit") ? Resource::kNetwork : Resource::kMemory, word};
}

}  // namespace

Result<Line> Line::Split(std::string_view file, std::size_t number, std::string_view text) {
  Line line(file, number);
  std::size_t i = 0;
  while (i < text.size() && text[i] != '#') {
    const std::size_t column = i + 1;
    if (IsSpace(text[i])) {
      ++i;
    } else if (text[i] == '"') {
      const std::size_t close = text.find('"', i + 1);
      if (close == std::string_view::npos) {
        return Status(
            Code::kInvalidArgument,
            fmt::format("{}:{}:{}: the quote is not closed; add a '\"'", file, number, column));
      }
      line.words_.push_back({std::string(text.substr(i + 1, close - i - 1)), column, true});
      i = close + 1;
    } else if (kSeparators.find(text[i]) != std::string_view::npos) {
      line.words_.push_back({std::string(1, text[i++]), column, false});
    } else {
      std::size_t end = i;
      while (end < text.size() && !IsSpace(text[end]) && text[end] != '#' && text[end] != '"' &&
             kSeparators.find(text[end]) == std::string_view::npos) {
        ++end;
      }
      line.words_.push_back({std::string(text.substr(i, end - i)), column, false});
      i = end;
    }
  }
  line.end_column_ = i + 1;
  return line;
}

Status Line::ErrorAt(std::size_t word, std::string_view what) const {
  const std::size_t column = word < words_.size() ? words_[word].column : end_column_;
  return Status(Code::kInvalidArgument, fmt::format("{}:{}:{}: {}", file_, number_, column, what));
}
Status Line::Error(std::string_view what) const { return ErrorAt(at_ == 0 ? 0 : at_ - 1, what); }
Status Line::ErrorAtNext(std::string_view what) const { return ErrorAt(at_, what); }

std::string_view Line::Peek() const {
  return AtEnd() || words_[at_].quoted ? std::string_view() : std::string_view(words_[at_].text);
}

bool Line::Take(std::string_view word) {
  if (Peek() != word || AtEnd()) return false;
  ++at_;
  return true;
}

Result<std::string> Line::Next(std::string_view wanted) {
  if (AtEnd()) return ErrorAtNext(fmt::format("the line ends too early; {} must follow", wanted));
  return words_[at_++].text;
}

Result<std::string> Line::Name(std::string_view wanted) {
  BERTH_TRY(std::string name, Next(wanted));
  if (!IsValidName(name)) {
    return Error(fmt::format("{} is not {}; use 1 to 128 letters, digits, '.', '_' or '-'",
                             berth::Quoted(name), wanted));
  }
  return name;
}

Result<std::string> Line::Quoted() {
  if (AtEnd() || !words_[at_].quoted) {
    return ErrorAtNext("a text in double quotes must follow");
  }
  return words_[at_++].text;
}

Result<std::uint32_t> Line::Count(std::string_view wanted) {
  BERTH_TRY(const std::string text, Next(wanted));
  std::uint32_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [parsed, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc() || parsed != end) {
    return Error(fmt::format("{} is not {}; write a whole number", berth::Quoted(text), wanted));
  }
  return count;
}

Result<InstanceId> Line::Instance() {
  BERTH_TRY(const std::string text, Next("an instance"));
  if (std::optional<InstanceId> id = ParseInstanceId(text)) return *std::move(id);
  return Error(fmt::format("{} is not an instance; write a service and a number, like web/0",
                           berth::Quoted(text)));
}

Status Line::Expect(std::string_view word) {
  if (Take(word)) return {};
  if (AtEnd()) return ErrorAtNext(fmt::format("the line ends too early; '{}' must follow", word));
  return ErrorAtNext(
      fmt::format("{} is not '{}', which must stand here", berth::Quoted(words_[at_].text), word));
}

Status Line::End() const {
  if (AtEnd()) return {};
  return ErrorAtNext(
      fmt::format("{} is not understood here; remove it", berth::Quoted(words_[at_].text)));
}

Result<Resources> Line::Amounts(const Resources& otherwise) {
  Resources amounts = otherwise;
  std::vector<Resource> given;
  while (StartsAmount(Peek())) {
    const std::string word = words_[at_++].text;
    const std::optional<Amount> amount = SplitAmount(word);
    if (!amount) {
      return Error(
          fmt::format("{} names no resource; the resources are cpu, memory, disk, network "
                      "and gpu",
                      berth::Quoted(word)));
    }
    Result<std::int64_t> value = ParseAmount(amount->resource, amount->text);
    if (!value.ok()) return Error(value.status().message());
    if (std::ranges::find(given, amount->resource) != given.end()) {
      return Error(fmt::format("{} is given twice; remove one", ResourceName(amount->resource)));
    }
    given.push_back(amount->resource);
    amounts[amount->resource] = value.value();
  }
  if (given.empty()) return ErrorAtNext("amounts must stand here, like 2cpu 4Gi");
  return amounts;
}

Result<Labels::value_type> Line::Label() {
  BERTH_TRY(const std::string text, Next("a label"));
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  if (!IsValidName(name) || !IsValidName(value)) {
    return Error(fmt::format("{} is not a label; write a name and a value, like ssd=yes",
                             berth::Quoted(text)));
  }
  return Labels::value_type(LabelName(name), LabelName(value));
}

Result<std::vector<InstanceGroup>> Line::Groups() {
  std::vector<InstanceGroup> groups;
  do {
    InstanceGroup group;
    BERTH_TRY(group.count, Count("a number of instances"));
    BERTH_RETURN_IF_ERROR(Expect("x"));
    BERTH_TRY(const std::string type, Name("a type"));
    group.type = TypeId(type);
    if (Take("as")) {
      BERTH_TRY(const std::string role, Name("a role"));
      group.role = RoleId(role);
    }
    groups.push_back(group);
  } while (Take("+"));
  return groups;
}

void AddLabel(Labels& labels, const Labels::value_type& label) {
  labels.insert(std::ranges::upper_bound(labels, label), label);
}

}  // namespace berth
