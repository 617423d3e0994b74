#include "serve/audit.h"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

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
    const auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file);
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
