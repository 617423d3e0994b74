// A line of a scenario as words with their positions, and the small readers that verbs share.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/records.h"
#include "berth/status.h"

namespace berth {

struct Word {
  std::string text;
  std::size_t column = 1;
  bool quoted = false;
};

// Reads a line word by word. ':', ',' and '+' are words of their own; "quoted text" is one word;
// what follows a '#' is a comment. Errors read FILE:LINE:COLUMN: what is wrong; what to do.
class Line {
 public:
  static Result<Line> Split(std::string_view file, std::size_t number, std::string_view text);

  bool empty() const { return words_.empty(); }
  bool AtEnd() const { return at_ == words_.size(); }
  std::size_t number() const { return number_; }
  const std::string& file() const { return file_; }

  // The next word without taking it; empty at the end.
  std::string_view Peek() const;
  // Takes the next word if it is this one.
  bool Take(std::string_view word);
  // Takes whatever is next; `wanted` is what the error calls it.
  Result<std::string> Next(std::string_view wanted);
  Result<std::string> Name(std::string_view wanted);
  Result<std::string> Quoted();
  Result<std::uint32_t> Count(std::string_view wanted);
  Result<InstanceId> Instance();
  Status Expect(std::string_view word);
  // Nothing may be left.
  Status End() const;

  // "2cpu 4Gi 1gpu disk=100Gi network=10Gbit", as many as there are, at least one; the rest stay
  // as in `otherwise`.
  Result<Resources> Amounts(const Resources& otherwise = {});
  // "ssd=yes".
  Result<Labels::value_type> Label();
  // "3 x small as primary + 2 x big".
  Result<std::vector<InstanceGroup>> Groups();

  // An error about the word taken last, or about the next one.
  Status Error(std::string_view what) const;
  Status ErrorAtNext(std::string_view what) const;

 private:
  Line(std::string_view file, std::size_t number) : file_(file), number_(number) {}
  Status ErrorAt(std::size_t word, std::string_view what) const;

  std::string file_;
  std::size_t number_;
  std::vector<Word> words_;
  std::size_t end_column_ = 1;
  std::size_t at_ = 0;
};

// Adds a label at its place.
void AddLabel(Labels& labels, const Labels::value_type& label);

}  // namespace berth
