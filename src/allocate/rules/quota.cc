#include "allocate/quota.h"

#include "allocate/rules/builtin.h"
#include "fleet/predicates.h"

namespace berth {
namespace {

// The answer is the same for every machine: the tenant is over its quota wherever it goes.
class Quota final : public Validator {
 public:
  std::string_view name() const override { return "quota"; }
  std::string_view summary() const override { return "the tenant stays within its quota"; }
  DependsOn depends_on() const override { return DependsOn::kServiceMachine; }
  Concerns concerns(const Ask& ask) const override {
    return Takes(ask) ? Concerns::kNone : Concerns::kAll;
  }
  bool checked_at_commit() const override { return true; }

  bool IsValid(const Ask& ask, const Candidate& /*machine*/) const override { return Takes(ask); }
  std::string Lacks(const Ask& ask, const Candidate& /*machine*/) const override {
    return DescribeOverQuota(ask.inventory[ask.tenant].record, UseWith(ask));
  }
  Cure CureFor(const Ask& /*ask*/, const Candidate& /*machine*/) const override {
    return Cure::kMoreQuota;
  }

 private:
  // What exists may move, also when its tenant's quota was lowered meanwhile: as at commit.
  static bool Takes(const Ask& ask) {
    const Tenant& tenant = ask.inventory[ask.tenant].record;
    return !tenant.quota || WithinQuota(tenant, UseWith(ask)) || ask.IsCounted();
  }
  static ResourceTotals UseWith(const Ask& ask) {
    ResourceTotals used = ask.inventory[ask.tenant].used;
    return used += ask.traits.limit;
  }
};

}  // namespace

std::unique_ptr<Rule> NewQuota(Fields& /*options*/) { return std::make_unique<Quota>(); }

}  // namespace berth
