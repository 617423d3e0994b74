// Mouse, touch and keys on the map.

import type { FleetCanvas } from "./fleet_canvas";

const CLICK_PX_MOST = 4; // What moves further is a drag.
const WHEEL_STEP = 0.0015;
const KEY_ZOOM = 1.5;

export interface Heard {
  point(place: number | null): void;
  open(place: number): void;
}

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function listen(map: FleetCanvas, heard: Heard): void {
  const { canvas } = map;
  const pointers = new Map<number, { x: number; y: number }>();
  let travelled = 0;
  const dense = () => window.devicePixelRatio || 1;

  canvas.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    canvas.setPointerCapture(event.pointerId);
    travelled = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const { offsetX: x, offsetY: y } = event;
    const from = pointers.get(event.pointerId);
    if (from === undefined) return heard.point(map.machineAt(x, y));
    const other = [...pointers.entries()].find(([id]) => id !== event.pointerId)?.[1];
    pointers.set(event.pointerId, { x, y });
    travelled += Math.hypot(x - from.x, y - from.y);
    if (other === undefined) {
      map.camera.move((x - from.x) * dense(), (y - from.y) * dense());
    } else {
      const apart = (at: { x: number; y: number }) => Math.hypot(at.x - other.x, at.y - other.y);
      const factor = apart({ x, y }) / Math.max(apart(from), 1);
      map.camera.zoom(factor, other.x * dense(), other.y * dense());
    }
    map.draw();
  });
  const lift = (event: PointerEvent, click: boolean) => {
    if (!pointers.delete(event.pointerId) || !click || travelled > CLICK_PX_MOST) return;
    const place = map.machineAt(event.offsetX, event.offsetY);
    if (place !== null) heard.open(place);
  };
  canvas.addEventListener("pointerup", (event) => lift(event, true));
  canvas.addEventListener("pointercancel", (event) => lift(event, false));
  canvas.addEventListener("pointerleave", () => heard.point(null));
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const factor = Math.exp(-event.deltaY * WHEEL_STEP);
      map.camera.zoom(factor, event.offsetX * dense(), event.offsetY * dense());
      map.draw();
    },
    { passive: false },
  );
  listenToKeys(map, heard);
}

export function zoomAtMiddle(map: FleetCanvas, factor: number): void {
  map.camera.zoom(factor, map.canvas.width / 2, map.canvas.height / 2);
  map.draw();
}

function listenToKeys(map: FleetCanvas, heard: Heard): void {
  map.canvas.addEventListener("keydown", (event) => {
    const arrow = ARROWS[event.key];
    if (arrow !== undefined) {
      map.moveCursor(...arrow);
      heard.point(map.cursor);
    } else if (event.key === "+" || event.key === "-") {
      zoomAtMiddle(map, event.key === "+" ? KEY_ZOOM : 1 / KEY_ZOOM);
    } else if (event.key === "Home") {
      map.camera.fit();
      map.draw();
    } else if (event.key === "Enter" && map.cursor !== null) {
      heard.open(map.cursor);
    } else {
      return;
    }
    event.preventDefault();
  });
}
