#include "oversub/learnt_models.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "oversub/demand_library_file.h"

namespace berth {

void LearntModels::Add(const std::string& type, DemandModel model) {
  std::deque<DemandModel>& kind = learnt_[{type, model.role}];
  kind.push_back(model);
  ++size_;
  if (kind.size() <= kNewestKept) return;
  kind.pop_front();
  --size_;
}

std::shared_ptr<const TraceLibrary> LearntModels::Library() const {
  std::vector<DemandModel> models;
  std::vector<std::string> names;
  if (given_ != nullptr) {
    names.assign(given_->class_names().begin(), given_->class_names().end());
    models.reserve(given_->size() + size_);
    for (std::uint32_t i = 0; i < given_->size(); ++i) {
      models.push_back(given_->model(TraceIndex{i}));
    }
  }
  for (const auto& [kind, learnt] : learnt_) {
    const auto known = std::ranges::find(names, kind.first);
    const auto place = static_cast<std::size_t>(known - names.begin());
    if (place >= static_cast<std::size_t>(kNoClass)) continue;
    if (known == names.end()) names.push_back(kind.first);
    for (DemandModel model : learnt) {
      if (models.size() == kLibraryModelsMax) break;
      model.tenant_class = TenantClass{static_cast<std::uint16_t>(place)};
      models.push_back(model);
    }
  }
  // Each of them was in a library, or fitted to a sound trace.
  return std::make_shared<const TraceLibrary>(
      TraceLibrary::Build(std::move(models), std::move(names)).value());
}

std::string LearntModels::Encode(const std::string& type, TenantRole role) const {
  const auto kind = learnt_.find({type, role});
  std::vector<DemandModel> models;
  if (kind != learnt_.end()) models.assign(kind->second.begin(), kind->second.end());
  for (DemandModel& model : models) model.tenant_class = TenantClass{};
  return EncodeDemandLibrary(TraceLibrary::Build(std::move(models), {type}).value());
}

Status LearntModels::Restore(std::string_view bytes, std::string_view where) {
  BERTH_TRY(const TraceLibrary library, DecodeDemandLibrary(bytes, where));
  for (std::uint32_t i = 0; i < library.size(); ++i) {
    const DemandModel& model = library.model(TraceIndex{i});
    Add(library.class_names()[static_cast<std::size_t>(model.tenant_class)], model);
  }
  return {};
}

}  // namespace berth
