// Reading text line by line in constant memory: a file, plain or gzip by its content, or "-" for
// standard input.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "berth/status.h"

namespace berth {

inline constexpr std::size_t kLineBytesMax = std::size_t{64} << 10;

class LineReader {
 public:
  static Result<LineReader> Open(const std::string& path);
  static LineReader FromText(std::string text, std::string file_name);

  LineReader(LineReader&&) noexcept;
  LineReader& operator=(LineReader&&) noexcept;
  ~LineReader();

  // The next line without its end, valid until the next call; none after the last.
  Result<std::optional<std::string_view>> Next();

  // Of the line that Next gave last, from 1.
  std::size_t line_number() const { return line_number_; }
  // FILE:LINE: what, about that line.
  Status Error(std::string_view what) const;

 private:
  struct Source;

  LineReader(std::unique_ptr<Source> source, std::string file_name);
  std::string_view Take(std::size_t size, std::size_t line_end_size);
  Status Fill();

  std::unique_ptr<Source> source_;  // None when all there is to read is in the buffer.
  std::string file_name_;
  std::string buffer_;
  std::size_t begin_ = 0;  // What of the buffer has not been given out
  std::size_t end_ = 0;    // ends here.
  std::size_t line_number_ = 0;
};

}  // namespace berth
