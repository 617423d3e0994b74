// The fleet as the server tells it: a byte a machine and figure, in the order of the map.

import type { FleetNews } from "./messages";

export const NOT_KNOWN = 255;

export interface Rack {
  name: string;
  first: number; // Place of its first machine in the map,
  count: number; // and how many follow.
}

export interface Cluster {
  name: string;
  first: number;
  count: number;
  racks: Rack[];
}

export interface Column {
  allocated: Uint8Array;
  used: Uint8Array;
}

function bytes(base64: string): Uint8Array {
  const text = atob(base64);
  const result = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) result[i] = text.charCodeAt(i);
  return result;
}

function clustersOf(news: FleetNews): Cluster[] {
  const clusters: Cluster[] = [];
  let first = 0;
  let last = "";
  for (const { datacenter, cluster, row, rack, machines } of news.racks) {
    const name = `${datacenter}/${cluster}`;
    if (name !== last || clusters.length === 0) clusters.push({ name, first, count: 0, racks: [] });
    last = name;
    const current = clusters[clusters.length - 1]!;
    current.racks.push({ name: `${row}/${rack}`, first, count: machines });
    current.count += machines;
    first += machines;
  }
  return clusters;
}

export class FleetModel {
  names: string[] = [];
  clusters: Cluster[] = [];
  health: Uint8Array = new Uint8Array();
  columns = new Map<string, Column>();
  violation: Uint8Array | null = null;
  revision = "0";
  private places: Map<string, number> | null = null; // Made when a name is first asked for.

  // The places that changed; null: it is another fleet.
  apply(news: FleetNews): readonly number[] | null {
    this.revision = news.revision;
    if (news.racks.length > 0 || this.names.length === 0) {
      this.begin(news);
      return null;
    }
    const copy = (to: Uint8Array, base64: string) => {
      const from = bytes(base64);
      news.machines.forEach((place, i) => (to[place] = from[i]!));
    };
    copy(this.health, news.health);
    for (const { resource, allocated, used } of news.columns) {
      const column = this.columns.get(resource);
      if (column === undefined) continue;
      copy(column.allocated, allocated);
      copy(column.used, used);
    }
    if (this.violation !== null) copy(this.violation, news.violation);
    return news.machines;
  }

  private begin(news: FleetNews): void {
    this.names = news.names;
    this.places = null;
    this.clusters = clustersOf(news);
    this.health = bytes(news.health);
    this.columns = new Map(
      news.columns.map(({ resource, allocated, used }) => [
        resource,
        { allocated: bytes(allocated), used: bytes(used) },
      ]),
    );
    this.violation = news.violation === "" ? null : bytes(news.violation);
  }

  placeOf(name: string): number | null {
    this.places ??= new Map(this.names.map((each, place) => [each, place]));
    return this.places.get(name) ?? null;
  }

  // Names that begin with the text before those that hold it.
  search(text: string, most: number): number[] {
    const begins: number[] = [];
    const holds: number[] = [];
    for (let place = 0; place < this.names.length && begins.length < most; place += 1) {
      const at = this.names[place]!.indexOf(text);
      if (at === 0) begins.push(place);
      else if (at > 0 && holds.length < most) holds.push(place);
    }
    return [...begins, ...holds].slice(0, most);
  }

  clusterAt(place: number): Cluster | null {
    return (
      this.clusters.find(({ first, count }) => place >= first && place < first + count) ?? null
    );
  }
}

export type Measure = "allocated" | "used" | "violation";

export function figures(model: FleetModel, resource: string, measure: Measure): Uint8Array | null {
  if (measure === "violation") return model.violation;
  return model.columns.get(resource)?.[measure] ?? null;
}
