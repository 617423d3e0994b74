// The map on a canvas: the picture scaled to what the camera sees, then lines, names and a cursor
// where they have room. It draws once a frame, and only if something changed.

import { cssColor } from "../plot_options";
import { Camera } from "./camera";
import { layOut, machineAt, neighbour, type Block, type Layout } from "./fleet_layout";
import { figures, NOT_KNOWN, type FleetModel, type Measure } from "./fleet_model";
import { palette, Picture } from "./fleet_paint";

const LINES_FROM_PX = 5; // A cell's width from which machines are set apart,
const NAMES_FROM_PX = 64; // and from which they bear their names.
const CLUSTER_NAME_PX = 12;
const CLUSTER_NAME_CELLS_BEYOND = 3; // It may reach into the gap to the next.
const NEIGHBOUR_CELLS_MOST = 12;

export class FleetCanvas {
  private layout: Layout = layOut([], 1);
  private picture: Picture;
  private readonly context: CanvasRenderingContext2D;
  readonly camera = new Camera();
  private theme = { surface: "", ink: "", muted: "" };
  private scheduled = false;
  private marked = false;
  private size = { width: 1, height: 1 };
  cursor: number | null = null;

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly model: FleetModel,
    private resource: string,
    private measure: Measure,
  ) {
    this.context = canvas.getContext("2d", { alpha: false })!;
    this.picture = new Picture(this.layout, palette());
  }

  color(resource: string, measure: Measure): void {
    this.resource = resource;
    this.measure = measure;
    this.repaint();
  }

  // The window's size in CSS pixels, or the fleet, is another.
  rebuild(width: number, height: number): void {
    const dense = window.devicePixelRatio || 1;
    this.size = { width: Math.round(width * dense), height: Math.round(height * dense) };
    this.canvas.width = this.size.width;
    this.canvas.height = this.size.height;
    this.layout = layOut(this.model.clusters, width / height);
    if (this.cursor !== null && this.cursor >= this.model.names.length) this.cursor = null;
    this.camera.resize(this.layout, this.size);
    this.repaint();
  }

  // All of it: other colours, or another theme.
  repaint(): void {
    this.picture = new Picture(this.layout, palette());
    this.theme = {
      surface: cssColor("--surface"),
      ink: cssColor("--ink"),
      muted: cssColor("--muted"),
    };
    const values = figures(this.model, this.resource, this.measure);
    for (let place = 0; place < this.layout.x.length; place += 1) this.paintOne(place, values);
    this.draw();
  }

  update(places: readonly number[]): void {
    const values = figures(this.model, this.resource, this.measure);
    for (const place of places) this.paintOne(place, values);
    this.draw();
  }

  private paintOne(place: number, values: Uint8Array | null): void {
    this.picture.paint(place, this.model.health[place]!, values?.[place] ?? NOT_KNOWN);
  }

  draw(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      this.drawNow();
    });
  }

  private drawNow(): void {
    const { context, camera, size } = this;
    context.fillStyle = this.theme.surface;
    context.fillRect(0, 0, size.width, size.height);
    context.imageSmoothingEnabled = false;
    const [x, y] = camera.pixelAt(0, 0);
    const { width, height } = this.layout;
    context.drawImage(this.picture.current(), x, y, width * camera.scale, height * camera.scale);
    if (camera.scale >= LINES_FROM_PX) this.drawLines();
    if (camera.scale >= NAMES_FROM_PX) this.drawNames();
    this.drawClusterNames();
    this.drawCursor();
    // For whoever wants to know how soon there is something to see.
    if (!this.marked && this.model.names.length > 0) performance.mark("fleet-drawn");
    this.marked = this.marked || this.model.names.length > 0;
  }

  // Between all cells at once: where there is no machine there is nothing to be cut.
  private drawLines(): void {
    const { context, camera, size } = this;
    const wide = Math.max(1, Math.round(camera.scale / 16));
    const [firstX, firstY] = camera.cellAt(0, 0).map(Math.ceil) as [number, number];
    for (let column = firstX; ; column += 1) {
      const [x] = camera.pixelAt(column, 0);
      if (x > size.width) break;
      context.fillRect(Math.round(x - wide / 2), 0, wide, size.height);
    }
    for (let row = firstY; ; row += 1) {
      const [, y] = camera.pixelAt(0, row);
      if (y > size.height) break;
      context.fillRect(0, Math.round(y - wide / 2), size.width, wide);
    }
  }

  private drawNames(): void {
    const { context, camera, layout, size } = this;
    const [left, top] = camera.cellAt(0, 0).map(Math.floor) as [number, number];
    const [right, bottom] = camera.cellAt(size.width, size.height).map(Math.ceil) as [
      number,
      number,
    ];
    const height = Math.round(camera.scale / 7);
    context.font = `600 ${height}px system-ui, sans-serif`;
    for (let row = top; row < bottom; row += 1) {
      for (let column = left; column < right; column += 1) {
        const place = machineAt(layout, column, row);
        if (place === null) continue;
        const [x, y] = camera.pixelAt(column, row);
        const most = camera.scale * 0.86;
        context.fillStyle = this.theme.surface;
        context.fillRect(x + camera.scale * 0.07, y + camera.scale * 0.09, most, height * 1.5);
        context.fillStyle = this.theme.ink;
        const name = this.model.names[place]!;
        context.fillText(
          name,
          x + camera.scale * 0.1,
          y + camera.scale * 0.09 + height * 1.1,
          most * 0.93,
        );
      }
    }
  }

  private drawClusterNames(): void {
    const { context, camera, size } = this;
    const dense = window.devicePixelRatio || 1;
    const height = Math.min(Math.max(camera.scale * 1.8, 9 * dense), CLUSTER_NAME_PX * dense);
    context.font = `600 ${height}px system-ui, sans-serif`;
    context.fillStyle = this.theme.muted;
    for (const block of this.layout.clusters) {
      const [x, y] = camera.pixelAt(block.x, block.y);
      const width = block.width * camera.scale;
      if (x > size.width || x + width < 0 || y > size.height || y < -3 * camera.scale) continue;
      const room = width + CLUSTER_NAME_CELLS_BEYOND * camera.scale;
      if (context.measureText(block.name).width > room) continue;
      context.fillText(block.name, Math.max(x, 2), y + 3 * camera.scale - 0.3 * height);
    }
  }

  private drawCursor(): void {
    if (this.cursor === null) return;
    const { context, camera } = this;
    const [x, y] = camera.pixelAt(this.layout.x[this.cursor]!, this.layout.y[this.cursor]!);
    const size = Math.max(camera.scale, 3);
    context.strokeStyle = this.theme.ink;
    context.lineWidth = 2;
    context.strokeRect(x - 1, y - 1, size + 2, size + 2);
  }

  // The machine whose colour the pixel there has; of CSS pixels within the canvas.
  machineAt(x: number, y: number): number | null {
    const dense = window.devicePixelRatio || 1;
    const middle = (at: number) => Math.floor(at * dense) + 0.5;
    return machineAt(this.layout, ...this.camera.cellAt(middle(x), middle(y)));
  }

  moveCursor(dx: number, dy: number): void {
    const from = this.cursor ?? 0;
    if (this.model.names.length === 0) return;
    const found = neighbour(this.layout, from, dx, dy, NEIGHBOUR_CELLS_MOST);
    this.cursor = this.cursor === null ? 0 : (found ?? from);
    const [x, y] = this.camera.pixelAt(this.layout.x[this.cursor]!, this.layout.y[this.cursor]!);
    const outside = x < 0 || y < 0 || x > this.size.width || y > this.size.height;
    if (outside) this.camera.move(this.size.width / 2 - x, this.size.height / 2 - y);
    this.draw();
  }

  showMachine(place: number): void {
    this.cursor = place;
    const [x, y] = [this.layout.x[place]!, this.layout.y[place]!];
    this.camera.show({ x: x - 4, y: y - 3, width: 9, height: 7 });
    this.draw();
  }

  showCluster(index: number): void {
    const block: Block | undefined = this.layout.clusters[index];
    if (block === undefined) return;
    this.camera.show({
      x: block.x - 1,
      y: block.y - 1,
      width: block.width + 2,
      height: block.height + 2,
    });
    this.draw();
  }
}
