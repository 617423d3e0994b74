// The streams that pages share, each opened when somebody first listens and kept.

import { get, stream, type StreamState } from "./api";
import { FleetModel } from "./fleet_model";
import type { Commit, FleetNews, HealthReply, ServiceLevelNews } from "./messages";

type Listener<T> = (value: T) => void;

class Listeners<T> {
  private readonly all = new Set<Listener<T>>();
  add(listener: Listener<T>): () => void {
    this.all.add(listener);
    return () => this.all.delete(listener);
  }
  tell(value: T): void {
    for (const listener of [...this.all]) listener(value);
  }
}

const states = new Map<string, StreamState>();
const stateListeners = new Listeners<StreamState>();

function noteState(from: string, state: StreamState): void {
  states.set(from, state);
  stateListeners.tell(overall());
}

// The worst of all streams.
export function overall(): StreamState {
  const all = [...states.values()];
  if (all.includes("lost")) return "lost";
  return all.includes("connecting") ? "connecting" : "live";
}

export const onState = (listener: Listener<StreamState>) => stateListeners.add(listener);

// One stream that begins with the first listener.
class Shared<T> {
  readonly listeners = new Listeners<T>();
  private begun = false;
  constructor(private readonly open: (tell: Listener<T>) => void) {}
  listen(listener: Listener<T>): () => void {
    const stop = this.listeners.add(listener);
    if (!this.begun) {
      this.begun = true;
      this.open((value) => this.listeners.tell(value));
    }
    return stop;
  }
}

function follow<T>(path: string): (tell: Listener<T>) => void {
  return (tell) => void stream<T>(path, tell, (state) => noteState(path, state));
}

const fleetStream = new Shared<FleetNews>(follow("/v1/fleet/watch"));
const fleetListeners = new Listeners<readonly number[] | null>();
export const fleet = new FleetModel();
let fleetFollowed = false;

// The places that changed, or null for another fleet; at once if there is one already.
export function onFleet(listener: Listener<readonly number[] | null>): () => void {
  const stop = fleetListeners.add(listener);
  if (!fleetFollowed) {
    fleetFollowed = true;
    fleetStream.listen((news) => fleetListeners.tell(fleet.apply(news)));
  }
  if (fleet.names.length > 0) listener(null);
  return stop;
}

const levelStream = new Shared<ServiceLevelNews>(follow("/v1/service-levels/watch"));
let levels: ServiceLevelNews | null = null;

export function onLevels(listener: Listener<ServiceLevelNews>): () => void {
  if (levels !== null) listener(levels);
  return levelStream.listen((news) => {
    levels = news;
    listener(news);
  });
}

// From now on, so that opening a page does not read the whole log.
const commitStream = new Shared<Commit>((tell) => {
  const begin = async () => {
    const { revision } = await get<HealthReply>("/v1/health");
    follow<Commit>(`/v1/watch?from=${revision}`)(tell);
  };
  begin().catch(() => noteState("/v1/watch", "lost"));
});

export const onCommit = (listener: Listener<Commit>) => commitStream.listen(listener);
