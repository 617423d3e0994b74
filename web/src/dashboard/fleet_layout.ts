// Where each machine stands on the map: a cell of a grid. Racks are narrow blocks of cells, the
// racks of a cluster stand in rows, clusters in rows of clusters under their names.

import type { Cluster } from "./fleet_model";

const RACK_GAP = 1;
const CLUSTER_GAP = 3;
const NAME_CELLS = 3; // Above a cluster, for its name.
const CLUSTER_BROAD = 1.4; // A cluster is so many times wider than high,
const RACK_SLENDER = 3; // and a rack higher than wide.

export interface Block {
  name: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Layout {
  width: number;
  height: number;
  x: Uint16Array; // By place in the map.
  y: Uint16Array;
  cells: Int32Array; // By row and column: the place, or -1.
  clusters: Block[];
  racks: Block[];
}

function rackWidth(count: number): number {
  return Math.max(1, Math.round(Math.sqrt(count / RACK_SLENDER)));
}

// A cluster with its top left corner at 0, 0.
function layOutCluster(cluster: Cluster): { block: Block; racks: Block[] } {
  const sizes = cluster.racks.map(({ count }) => {
    const width = rackWidth(count);
    return { width, height: Math.ceil(count / width) };
  });
  const area = sizes.reduce((sum, { width, height }) => sum + (width + 1) * (height + 1), 0);
  const broad = sizes.reduce((sum, { width }) => sum + width + RACK_GAP, 0);
  const rows = Math.max(1, Math.round(broad / Math.sqrt(area * CLUSTER_BROAD)));
  const perRow = Math.ceil(sizes.length / rows); // Rows of as many racks, as far as it goes.
  const racks: Block[] = [];
  let [x, y, rowHeight, width] = [0, NAME_CELLS, 0, 0];
  cluster.racks.forEach((rack, i) => {
    const size = sizes[i]!;
    if (i > 0 && i % perRow === 0) {
      x = 0;
      y += rowHeight + RACK_GAP;
      rowHeight = 0;
    }
    racks.push({ name: rack.name, x, y, ...size });
    x += size.width + RACK_GAP;
    rowHeight = Math.max(rowHeight, size.height);
    width = Math.max(width, x - RACK_GAP);
  });
  return { block: { name: cluster.name, x: 0, y: 0, width, height: y + rowHeight }, racks };
}

export function layOut(clusters: readonly Cluster[], aspect: number): Layout {
  const parts = clusters.map(layOutCluster);
  const area = parts.reduce(
    (sum, { block }) => sum + (block.width + CLUSTER_GAP) * (block.height + CLUSTER_GAP),
    0,
  );
  const widthMost = Math.max(Math.sqrt(area * aspect), ...parts.map(({ block }) => block.width));
  let [x, y, rowHeight, width] = [0, 0, 0, 1];
  for (const { block, racks } of parts) {
    if (x > 0 && x + block.width > widthMost) {
      x = 0;
      y += rowHeight + CLUSTER_GAP;
      rowHeight = 0;
    }
    for (const each of [block, ...racks]) {
      each.x += x;
      each.y += y;
    }
    x += block.width + CLUSTER_GAP;
    rowHeight = Math.max(rowHeight, block.height);
    width = Math.max(width, x - CLUSTER_GAP);
  }
  return place(clusters, parts, width, Math.max(y + rowHeight, 1));
}

function place(
  clusters: readonly Cluster[],
  parts: { block: Block; racks: Block[] }[],
  width: number,
  height: number,
): Layout {
  const count = clusters.reduce((sum, cluster) => sum + cluster.count, 0);
  const layout: Layout = {
    width,
    height,
    x: new Uint16Array(count),
    y: new Uint16Array(count),
    cells: new Int32Array(width * height).fill(-1),
    clusters: parts.map(({ block }) => block),
    racks: parts.flatMap(({ racks }) => racks),
  };
  clusters.forEach((cluster, c) =>
    cluster.racks.forEach((rack, r) => {
      const block = parts[c]!.racks[r]!;
      for (let i = 0; i < rack.count; i += 1) {
        const x = block.x + (i % block.width);
        const y = block.y + Math.floor(i / block.width);
        layout.x[rack.first + i] = x;
        layout.y[rack.first + i] = y;
        layout.cells[y * width + x] = rack.first + i;
      }
    }),
  );
  return layout;
}

export function machineAt(layout: Layout, x: number, y: number): number | null {
  const column = Math.floor(x);
  const row = Math.floor(y);
  if (column < 0 || row < 0 || column >= layout.width || row >= layout.height) return null;
  const at = layout.cells[row * layout.width + column]!;
  return at < 0 ? null : at;
}

// The nearest machine in a direction, at most so many cells away.
export function neighbour(
  layout: Layout,
  from: number,
  dx: number,
  dy: number,
  most: number,
): number | null {
  for (let step = 1; step <= most; step += 1) {
    const x = layout.x[from]! + dx * step;
    const y = layout.y[from]! + dy * step;
    for (let aside = 0; aside <= Math.floor(step / 2); aside += 1) {
      for (const sign of aside === 0 ? [0] : [-1, 1]) {
        const found = machineAt(
          layout,
          x + sign * aside * Math.abs(dy),
          y + sign * aside * Math.abs(dx),
        );
        if (found !== null) return found;
      }
    }
  }
  return null;
}
