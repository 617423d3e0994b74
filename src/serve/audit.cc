#include "serve/audit.h"

#include <fcntl.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <mutex>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "serve/method.h"
#include "serve/metrics.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

std::string FieldOf(const google::protobuf::Message& message, const char* name) {
  const auto* field = message.GetDescriptor()->FindFieldByName(name);
  if (field == nullptr || field->is_repeated() ||
      field->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_STRING) {
    return {};
  }
  return message.GetReflection()->GetString(message, field);
}

// The service or machine that a call is about.
std::string SubjectOf(const google::protobuf::Message& request) {
  if (const auto* create = dynamic_cast<const v1::CreateServiceRequest*>(&request)) {
    return create->service().name();
  }
  return FieldOf(request, "name");
}

// Cut so that a stranger's name cannot flood the log; what is not UTF-8 is replaced.
std::string Dump(const Json& line) {
  return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Appends to a file. A line for which there is no room is lost, which spdlog says on the error
// stream; what is left of it does not spoil the next.
class LineFile final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit LineFile(std::string name)
      : name_(std::move(name)),
        fd_(open(name_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
    if (fd_ < 0) spdlog::throw_spdlog_ex("cannot open " + name_, errno);
  }
  ~LineFile() override { close(fd_); }
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    if (torn_) Write("\n");
    Write({line.data(), line.size()});
  }
  void flush_() override {}

  void Write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = write(fd_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) {
        spdlog::throw_spdlog_ex("a line is lost, because there is no writing to " + name_, errno);
      }
      const auto size = static_cast<std::size_t>(written);
      torn_ = size > 0 && bytes[size - 1] != '\n';
      bytes.remove_prefix(size);
    }
  }

  const std::string name_;
  const int fd_;
  bool torn_ = false;  // The file ends within a line.
};

}  // namespace

Audit::Audit(std::shared_ptr<spdlog::logger> logger) : logger_(std::move(logger)) {
  logger_->set_pattern(R"({"at":"%Y-%m-%dT%H:%M:%S.%f%z",%v)");
  logger_->flush_on(spdlog::level::info);  // A line is written before its call is answered.
}
Audit::~Audit() { logger_->flush(); }

Result<std::unique_ptr<Audit>> Audit::Open(const std::string& file) {
  try {
    if (file == "-") {
      const auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
      return std::unique_ptr<Audit>(new Audit(std::make_shared<spdlog::logger>("audit", sink)));
    }
    const auto sink = std::make_shared<LineFile>(file);
    return std::unique_ptr<Audit>(new Audit(std::make_shared<spdlog::logger>("audit", sink)));
  } catch (const spdlog::spdlog_ex& error) {
    return Status(Code::kInvalidArgument,
                  std::string("cannot write the audit log: ") + error.what());
  }
}

void Audit::Note(const std::string& caller, const std::string& call,
                 const google::protobuf::Message& request, const Status& status,
                 const google::protobuf::Message* reply) {
  constexpr std::size_t kSubjectMax = 128;
  Json line = {{"who", caller},
               {"call", call},
               {"subject", SubjectOf(request).substr(0, kSubjectMax)},
               {"code", CodeName(status.code())}};
  if (!status.ok()) line["error"] = status.message();
  if (const auto* outcome = dynamic_cast<const v1::Outcome*>(reply)) {
    line["accepted"] = outcome->accepted();
    line["decision"] = outcome->decision().id();
    line["revision"] = outcome->revision();
    if (outcome->duplicate()) line["duplicate"] = true;
  }
  logger_->info(Dump(line).substr(1));
}

void Audit::Say(std::string_view event, std::string_view detail) {
  logger_->warn(Dump(Json{{"event", event}, {"detail", detail}}).substr(1));
}

}  // namespace berth
