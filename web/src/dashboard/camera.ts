// Which part of the map is seen: the cell in the top left corner, and how many pixels a cell has.

const CELL_PX_MOST = 240;

export class Camera {
  left = 0;
  top = 0;
  scale = 1;
  private least = 1; // The scale that shows all.

  constructor(
    private world = { width: 1, height: 1 },
    private view = { width: 1, height: 1 },
  ) {}

  // Keeps what is seen as far as it can, unless all was seen.
  resize(world: { width: number; height: number }, view: { width: number; height: number }): void {
    const whole = this.scale <= this.least * 1.001;
    this.world = world;
    this.view = view;
    this.least = Math.min(view.width / world.width, view.height / world.height);
    if (whole) this.fit();
    else this.move(0, 0);
  }

  fit(): void {
    this.scale = this.least;
    this.move(0, 0);
  }

  // By pixels. The map does not leave the window; where it is smaller it stays in the middle.
  move(dx: number, dy: number): void {
    const keep = (at: number, world: number, view: number) => {
      const seen = view / this.scale;
      return seen >= world ? (world - seen) / 2 : Math.min(Math.max(at, 0), world - seen);
    };
    this.left = keep(this.left - dx / this.scale, this.world.width, this.view.width);
    this.top = keep(this.top - dy / this.scale, this.world.height, this.view.height);
  }

  // What is under the pixel stays there.
  zoom(factor: number, x: number, y: number): void {
    const [cellX, cellY] = [this.left + x / this.scale, this.top + y / this.scale];
    this.scale = Math.min(Math.max(this.scale * factor, this.least), CELL_PX_MOST);
    this.left = cellX - x / this.scale;
    this.top = cellY - y / this.scale;
    this.move(0, 0);
  }

  // A block of cells in the middle, as large as there is room for.
  show(block: { x: number; y: number; width: number; height: number }): void {
    const wanted = Math.min(this.view.width / block.width, this.view.height / block.height);
    this.scale = Math.min(Math.max(wanted, this.least), CELL_PX_MOST);
    this.left = block.x + block.width / 2 - this.view.width / this.scale / 2;
    this.top = block.y + block.height / 2 - this.view.height / this.scale / 2;
    this.move(0, 0);
  }

  cellAt(x: number, y: number): [number, number] {
    return [this.left + x / this.scale, this.top + y / this.scale];
  }

  pixelAt(x: number, y: number): [number, number] {
    return [(x - this.left) * this.scale, (y - this.top) * this.scale];
  }
}
