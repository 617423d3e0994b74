#include "cli/fleet_reader.h"

#include "cli/server_fleet.h"
#include "cli/store_fleet.h"

namespace berth {

Result<std::unique_ptr<FleetReader>> OpenFleet(const Invocation& invocation) {
  if (invocation.Has("--store")) {
    BERTH_TRY(std::unique_ptr<StoreReader> reader, StoreReader::Open(invocation.Text("--store")));
    return NewStoreFleet(std::move(reader));
  }
  BERTH_TRY(std::unique_ptr<Client> client, Client::Connect(invocation));
  return NewServerFleet(std::move(client));
}

}  // namespace berth
