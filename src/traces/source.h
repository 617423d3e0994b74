// Where a trace's text is: a file, plain or gzip, or memory. May be opened more than once.
#pragma once

#include <string>
#include <utility>

#include "base/lines.h"
#include "berth/status.h"

namespace berth {

class TraceSource {
 public:
  static TraceSource File(std::string path) { return {std::move(path), {}, false}; }
  static TraceSource Memory(std::string text, std::string name) {
    return {std::move(name), std::move(text), true};
  }

  // Standard input can be read once only.
  bool is_standard_input() const { return !in_memory_ && name_ == "-"; }

  Result<LineReader> Open() const {
    if (in_memory_) return LineReader::FromText(text_, name_);
    return LineReader::Open(name_);
  }

 private:
  TraceSource(std::string name, std::string text, bool in_memory)
      : name_(std::move(name)), text_(std::move(text)), in_memory_(in_memory) {}

  std::string name_;
  std::string text_;
  bool in_memory_;
};

}  // namespace berth
