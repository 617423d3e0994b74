// Records as the API's messages, and back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "allocate/refusal.h"
#include "berth.pb.h"
#include "berth/change.h"
#include "berth/engine.h"
#include "berth/records.h"
#include "berth/request.h"
#include "berth/status.h"
#include "berth/store.h"
#include "fleet/inventory.h"

namespace berth {

void ToMessage(const Resources& resources, v1::Resources& message);
void ToMessage(const Service& service, v1::Service& message);
void ToMessage(const ServiceState& service, v1::ServiceSummary& message);
void ToMessage(const HeldBack& held_back, v1::ServiceSummary& message);
void ToMessage(const Instance& instance, v1::Instance& message);
void ToMessage(const Machine& machine, v1::Machine& message);
void ToMessage(const MachineState& machine, v1::MachineState& message);
void ToMessage(const InstanceType& type, v1::InstanceType& message);
void ToMessage(const Tenant& tenant, v1::Tenant& message);
void ToMessage(const TenantState& tenant, v1::TenantState& message);
void ToMessage(const Decision& decision, v1::Decision& message);
void ToMessage(const Decision& decision, v1::ExplainedDecision& message);
// `instance` is what was asked about, in words.
void ToMessage(const WhyNot& why, const std::string& instance, MachineId machine,
               v1::WhyNotReply& message);
void ToMessage(const Reply& reply, v1::Outcome& message);
// Leases and idempotency records are the service's own business and are left out.
void ToMessage(const Committed& committed, v1::Commit& message);

// What is wrong is said by the field's name as the API spells it. Whoever creates a service names
// types, tenants, classes and labels that exist; only those who change the fleet coin new names.
Result<Service> ToService(const v1::Service& message);
Result<std::vector<InstanceGroup>> ToGroups(
    const google::protobuf::RepeatedPtrField<v1::Group>& messages);
Result<Resources> ToResources(const v1::Resources& message, std::string_view field);
Result<Machine> ToMachine(const v1::Machine& message);
Result<InstanceType> ToType(const v1::InstanceType& message);
Result<Tenant> ToTenant(const v1::Tenant& message);

}  // namespace berth
