#include "rightsize/external_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/fields.h"
#include "base/text.h"

namespace berth {

Result<std::shared_ptr<ExternalProgram>> ExternalProgram::Open(std::vector<std::string> command,
                                                               Duration wait) {
  std::shared_ptr<ExternalProgram> program(new ExternalProgram(std::move(command), wait));
  const Status status = program->Greet();
  if (status.ok()) return program;
  return Status(status.code(), fmt::format("{}{}: {}", kExternalPrefix, program->command_.front(),
                                           status.message()));
}

Status ExternalProgram::Greet() {
  BERTH_TRY(process_, LineProcess::Start(command_));
  BERTH_TRY(const std::string line,
            process_->Ask(fmt::format("{{\"berth\":{}}}", kProtocolVersion), wait_));
  BERTH_TRY(const Document answer, ParseDocument(line, "its greeting"));
  Fields fields(answer.root());
  fields.Integer<int>("berth", {.min = kProtocolVersion, .max = kProtocolVersion});
  BERTH_RETURN_IF_ERROR(fields.Finish());
  session_ = ++sessions_;
  return {};
}

std::uint32_t ExternalProgram::NewId() {
  if (free_ids_.empty()) return ++last_id_;
  const std::uint32_t id = free_ids_.back();
  free_ids_.pop_back();
  return id;
}

bool ExternalProgram::IsRunning() {
  if (session_ != 0) return true;
  if (failures_ >= kFailuresMax || leave_out_ > 0) {
    leave_out_ -= leave_out_ > 0 ? 1 : 0;
    ++asks_left_out_;
    return false;
  }
  const Status status = Greet();
  if (!status.ok()) Refuse(status);
  return session_ != 0;
}

Result<Document> ExternalProgram::Ask(std::uint32_t id, std::string_view line) {
  Result<Document> answer = AskOnce(id, line);
  if (!answer.ok()) Refuse(answer.status());
  return answer;
}

Result<Document> ExternalProgram::AskOnce(std::uint32_t id, std::string_view line) {
  BERTH_TRY(const std::string answered, process_->Ask(line, wait_));
  BERTH_TRY(Document answer, ParseDocument(answered, "its answer"));
  const std::optional<Node> named = answer.root().Find("id");
  const Result<std::uint32_t> same =
      named ? named->Integer<std::uint32_t>() : Result<std::uint32_t>(0U);
  if (same.ok() && same.value() == id) return answer;
  return Status(Code::kInvalidArgument,
                fmt::format("its answer {} does not name the id {}", Quoted(answered), id));
}

void ExternalProgram::Refuse(const Status& status) {
  last_trouble_ = status.message();
  if (first_trouble_.empty()) first_trouble_ = last_trouble_;
  process_.reset();
  session_ = 0;
  leave_out_ = std::uint64_t{1} << failures_;
  ++failures_;
}

void ExternalProgram::TryAgain() {
  leave_out_ = 0;
  failures_ = std::min(failures_, kFailuresMax - 1);
}

std::string ExternalProgram::Trouble() const {
  if (first_trouble_.empty()) return {};
  return fmt::format("{}{}: {}; it was started {}{}, and the last advice stayed {}",
                     kExternalPrefix, command_.front(), first_trouble_, Plural(sessions_, "time"),
                     failures_ >= kFailuresMax ? ", is left alone after ten failures in a row" : "",
                     Plural(asks_left_out_, "time"));
}

std::string JsonText(std::string_view text) {
  return nlohmann::json(std::string(text))
      .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

}  // namespace berth
