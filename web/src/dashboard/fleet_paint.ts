// Colours of the map, and the picture of it that has one pixel a machine.

import { cssColor } from "../plot_options";
import { NOT_KNOWN } from "./fleet_model";
import type { Layout } from "./fleet_layout";

const STOPS = 5;
const FULL = 100; // Per cent; above it is the colour of what is over-subscribed.

// A colour of the theme as the canvas keeps it: alpha, blue, green, red.
function pixel(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
  return ((255 << 24) | (blue! << 16) | (green! << 8) | red!) >>> 0;
}

function mix(from: number, to: number, share: number): number {
  const part = (shift: number) => {
    const a = (from >>> shift) & 255;
    const b = (to >>> shift) & 255;
    return Math.round(a + (b - a) * share) << shift;
  };
  return ((255 << 24) | part(16) | part(8) | part(0)) >>> 0;
}

export interface Palette {
  byPerCent: Uint32Array; // 256 of them.
  byHealth: Uint32Array; // As HEALTHS; the first is not used.
}

// Read from the theme each time, so that it follows it.
export function palette(): Palette {
  const stops = Array.from({ length: STOPS }, (_, i) => pixel(cssColor(`--heat-${i + 1}`)));
  const byPerCent = new Uint32Array(256).fill(pixel(cssColor("--over")));
  for (let value = 0; value <= FULL; value += 1) {
    const at = (value / FULL) * (STOPS - 1);
    const below = Math.min(Math.floor(at), STOPS - 2);
    byPerCent[value] = mix(stops[below]!, stops[below + 1]!, at - below);
  }
  byPerCent[NOT_KNOWN] = pixel(cssColor("--unknown"));
  const names = ["--unknown", "--draining", "--down", "--updating"];
  return { byPerCent, byHealth: Uint32Array.from(names, (name) => pixel(cssColor(name))) };
}

export class Picture {
  readonly canvas = document.createElement("canvas");
  private readonly context: CanvasRenderingContext2D;
  private readonly image: ImageData;
  private readonly pixels: Uint32Array;
  private stale = true;

  constructor(
    private readonly layout: Layout,
    private readonly colors: Palette,
  ) {
    this.canvas.width = layout.width;
    this.canvas.height = layout.height;
    this.context = this.canvas.getContext("2d", { willReadFrequently: true })!;
    this.image = this.context.createImageData(layout.width, layout.height);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  paint(place: number, health: number, perCent: number): void {
    const at = this.layout.y[place]! * this.layout.width + this.layout.x[place]!;
    const { byHealth, byPerCent } = this.colors;
    this.pixels[at] = health === 0 ? byPerCent[perCent]! : byHealth[health]!;
    this.stale = true;
  }

  // With all that was painted.
  current(): HTMLCanvasElement {
    if (this.stale) this.context.putImageData(this.image, 0, 0);
    this.stale = false;
    return this.canvas;
  }
}
