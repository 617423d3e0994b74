#include "base/lines.h"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace berth {
namespace {

constexpr std::size_t kBufferBytes = 4 * kLineBytesMax;

}  // namespace

// zlib reads what is not gzip as it is.
struct LineReader::Source {
  explicit Source(gzFile opened) : file(opened) {}
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  ~Source() { gzclose_r(file); }

  gzFile file;
};

Result<LineReader> LineReader::Open(const std::string& path) {
  const bool is_standard_input = path == "-";
  const std::string name = is_standard_input ? "standard input" : path;
  errno = 0;
  gzFile file = is_standard_input ? gzdopen(dup(STDIN_FILENO), "rb") : gzopen(path.c_str(), "rb");
  if (file == nullptr) {
    const int error = errno;
    return Status(error == ENOENT ? Code::kNotFound : Code::kUnavailable,
                  fmt::format("{}: cannot be opened: {}; check the path", name,
                              std::generic_category().message(error)));
  }
  return LineReader(std::make_unique<Source>(file), name);
}

LineReader LineReader::FromText(std::string text, std::string file_name) {
  LineReader reader(nullptr, std::move(file_name));
  reader.buffer_ = std::move(text);
  reader.end_ = reader.buffer_.size();
  return reader;
}

LineReader::LineReader(std::unique_ptr<Source> source, std::string file_name)
    : source_(std::move(source)), file_name_(std::move(file_name)) {}
LineReader::LineReader(LineReader&&) noexcept = default;
LineReader& LineReader::operator=(LineReader&&) noexcept = default;
LineReader::~LineReader() = default;

Result<std::optional<std::string_view>> LineReader::Next() {
  std::size_t searched = 0;
  for (;;) {
    const std::string_view rest(buffer_.data() + begin_, end_ - begin_);
    const std::size_t size = rest.find('\n', searched);
    if (size != std::string_view::npos ? size > kLineBytesMax : rest.size() > kLineBytesMax) {
      ++line_number_;
      return Error(
          fmt::format("the line is over {} kB; is this the right file?", kLineBytesMax >> 10));
    }
    if (size != std::string_view::npos) return std::optional(Take(size, 1));
    if (!source_) {
      if (rest.empty()) return std::optional<std::string_view>();
      return std::optional(Take(rest.size(), 0));
    }
    searched = rest.size();
    BERTH_RETURN_IF_ERROR(Fill());
  }
}

std::string_view LineReader::Take(std::size_t size, std::size_t line_end_size) {
  std::string_view line(buffer_.data() + begin_, size);
  if (line.ends_with('\r')) line.remove_suffix(1);
  begin_ += size + line_end_size;
  ++line_number_;
  return line;
}

// Moves what is left to the front and reads behind it. Drops the source at its end.
Status LineReader::Fill() {
  if (buffer_.empty()) buffer_.resize(kBufferBytes);
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  const int got =
      gzread(source_->file, buffer_.data() + end_, static_cast<unsigned>(buffer_.size() - end_));
  if (got > 0) {
    end_ += static_cast<std::size_t>(got);
    return {};
  }
  int code = Z_OK;
  const std::string_view message = gzerror(source_->file, &code);
  const int system_error = errno;
  if (code == Z_OK || code == Z_STREAM_END) {
    source_.reset();
    return {};
  }
  ++line_number_;
  if (code == Z_ERRNO) {
    return {Code::kUnavailable, fmt::format("{}: cannot be read: {}; check the path", file_name_,
                                            std::generic_category().message(system_error))};
  }
  if (code == Z_BUF_ERROR) return Error("the gzip file ends too early; copy it again");
  return Error(fmt::format("the gzip file is damaged ({}); copy it again", message));
}

Status LineReader::Error(std::string_view what) const {
  return {Code::kInvalidArgument,
          fmt::format("{}:{}: {}", file_name_, std::max(line_number_, std::size_t{1}), what)};
}

}  // namespace berth
