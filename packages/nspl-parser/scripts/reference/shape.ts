/** A place on the drawing; both in pixels, which are whole. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** What shapes draw on. */
export interface Canvas {
  /** Adds a piece of track: the commands of a path that begins at a point. */
  track(from: Point, commands: string): void;
  box(left: Point, width: number, label: Label): void;
}

/** What is written in a box and how the box looks. */
export interface Label {
  readonly text: string;
  readonly look: 'keyword' | 'punctuation' | 'value' | 'rule';
  /** Address of what it leads to, relative to the drawing. */
  readonly link?: string;
}

/**
 * A part of a diagram. Its track enters at the left and leaves at the right, `exit` pixels below
 * the entry; it reaches `top` pixels above and `bottom` pixels below the entry.
 */
export interface Shape {
  readonly width: number;
  readonly top: number;
  readonly bottom: number;
  readonly exit: number;
  draw(at: Point, canvas: Canvas): void;
}

/** Radius of the track's bends. */
export const RADIUS = 8;
/** Track between two shapes of a row. */
export const ROW_GAP = 12;
/** Room between shapes above each other. */
const LINE_GAP = 8;
const BOX_HEIGHT = 24;
const BOX_PADDING = 10;
/** Width of a character of the fixed-width font that boxes are written in. */
const CHARACTER_WIDTH = 7.8;

/** Bends of the track, by the direction before and behind. */
const BEND = {
  rightDown: `a${RADIUS} ${RADIUS} 0 0 1 ${RADIUS} ${RADIUS}`,
  rightUp: `a${RADIUS} ${RADIUS} 0 0 0 ${RADIUS} -${RADIUS}`,
  downRight: `a${RADIUS} ${RADIUS} 0 0 0 ${RADIUS} ${RADIUS}`,
  upRight: `a${RADIUS} ${RADIUS} 0 0 1 ${RADIUS} -${RADIUS}`,
  downLeft: `a${RADIUS} ${RADIUS} 0 0 1 -${RADIUS} ${RADIUS}`,
  leftDown: `a${RADIUS} ${RADIUS} 0 0 0 -${RADIUS} ${RADIUS}`,
  leftUp: `a${RADIUS} ${RADIUS} 0 0 1 -${RADIUS} -${RADIUS}`,
} as const;

const right = (pixels: number): string => (pixels === 0 ? '' : `h${pixels}`);
const down = (pixels: number): string => (pixels === 0 ? '' : `v${pixels}`);

/** A box with text. */
export function box(label: Label): Shape {
  const width = Math.ceil(label.text.length * CHARACTER_WIDTH) + 2 * BOX_PADDING;
  const half = BOX_HEIGHT / 2;
  const draw = (at: Point, canvas: Canvas): void => canvas.box(at, width, label);
  return { width, top: half, bottom: half, exit: 0, draw };
}

/** Track without anything on it. */
export function nothing(): Shape {
  return { width: 0, top: 0, bottom: 0, exit: 0, draw: () => {} };
}

/** Shapes from left to right. */
export function row(shapes: readonly Shape[]): Shape {
  let [width, top, bottom, exit] = [0, 0, 0, 0];
  shapes.forEach((shape, index) => {
    width += shape.width + (index === 0 ? 0 : ROW_GAP);
    top = Math.max(top, shape.top - exit);
    bottom = Math.max(bottom, shape.bottom + exit);
    exit += shape.exit;
  });
  const draw = (at: Point, canvas: Canvas): void => {
    let { x, y } = at;
    shapes.forEach((shape, index) => {
      if (index > 0) {
        canvas.track({ x, y }, right(ROW_GAP));
        x += ROW_GAP;
      }
      shape.draw({ x, y }, canvas);
      x += shape.width;
      y += shape.exit;
    });
  };
  return { width, top, bottom, exit, draw };
}

/** Rows below each other, read like lines of text; the track returns to the left between them. */
export function stack(rows: readonly Shape[]): Shape {
  const width = Math.max(...rows.map((each) => each.width)) + 4 * RADIUS;
  const tops: number[] = [];
  const returns: number[] = [];
  let bottom = 0;
  rows.forEach((each, index) => {
    if (index > 0) {
      const middle = bottom + Math.max(LINE_GAP, 2 * RADIUS - LINE_GAP);
      returns.push(middle);
      bottom = middle + Math.max(2 * RADIUS, LINE_GAP + each.top);
    }
    tops.push(bottom);
    bottom += each.bottom;
  });
  const exit = (tops.at(-1) ?? 0) + (rows.at(-1)?.exit ?? 0);
  const draw = (at: Point, canvas: Canvas): void => {
    const start = at.x + 2 * RADIUS;
    canvas.track(at, right(2 * RADIUS));
    rows.forEach((each, index) => {
      const y = at.y + (tops[index] ?? 0);
      each.draw({ x: start, y }, canvas);
      const end = { x: start + each.width, y: y + each.exit };
      const rest = at.x + width - end.x;
      const middle = returns[index];
      if (middle === undefined) canvas.track(end, right(rest));
      else {
        const fall = at.y + middle - end.y;
        const rise = at.y + (tops[index + 1] ?? 0) - at.y - middle;
        const back = width - 2 * RADIUS;
        canvas.track(
          end,
          right(rest - RADIUS) +
            BEND.rightDown +
            down(fall - 2 * RADIUS) +
            BEND.downLeft +
            right(-back) +
            BEND.leftDown +
            down(rise - 2 * RADIUS) +
            BEND.downRight +
            right(RADIUS),
        );
      }
    });
  };
  return { width, top: rows[0]?.top ?? 0, bottom, exit, draw };
}

/** One of several shapes, the first on the line and the others below it. */
export function choice(shapes: readonly Shape[]): Shape {
  const inner = Math.max(...shapes.map((each) => each.width));
  const width = inner + 4 * RADIUS;
  const tops: number[] = [];
  let bottom = 0;
  shapes.forEach((each, index) => {
    if (index > 0) bottom = Math.max(bottom + LINE_GAP + each.top, 2 * RADIUS);
    tops.push(bottom);
    bottom += each.bottom;
  });
  const exit = shapes[0]?.exit ?? 0;
  const draw = (at: Point, canvas: Canvas): void => {
    shapes.forEach((each, index) => {
      const y = tops[index] ?? 0;
      const isFirst = index === 0;
      canvas.track(
        at,
        isFirst ? right(2 * RADIUS) : BEND.rightDown + down(y - 2 * RADIUS) + BEND.downRight,
      );
      each.draw({ x: at.x + 2 * RADIUS, y: at.y + y }, canvas);
      const end = { x: at.x + 2 * RADIUS + each.width, y: at.y + y + each.exit };
      const rise = y + each.exit - exit;
      canvas.track(
        end,
        right(inner - each.width) +
          (isFirst ? right(2 * RADIUS) : BEND.rightUp + down(2 * RADIUS - rise) + BEND.upRight),
      );
    });
  };
  return { width, top: shapes[0]?.top ?? 0, bottom, exit, draw };
}

/** A shape that a track above it leads past. */
export function optional(shape: Shape): Shape {
  const width = shape.width + 4 * RADIUS;
  const height = Math.max(shape.top + LINE_GAP, 2 * RADIUS);
  const draw = (at: Point, canvas: Canvas): void => {
    canvas.track(at, right(2 * RADIUS));
    shape.draw({ x: at.x + 2 * RADIUS, y: at.y }, canvas);
    const end = { x: at.x + 2 * RADIUS + shape.width, y: at.y + shape.exit };
    canvas.track(end, right(2 * RADIUS));
    canvas.track(
      at,
      BEND.rightUp +
        down(2 * RADIUS - height) +
        BEND.upRight +
        right(shape.width) +
        BEND.rightDown +
        down(height + shape.exit - 2 * RADIUS) +
        BEND.downRight,
    );
  };
  return { width, top: height, bottom: shape.bottom, exit: shape.exit, draw };
}

/** A shape that a track below it leads back to the beginning of, through what separates. */
export function loop(shape: Shape, separator: Shape): Shape {
  const inner = Math.max(shape.width, separator.width);
  const width = inner + 2 * RADIUS;
  const level = Math.max(shape.bottom + LINE_GAP + separator.top, shape.exit + 2 * RADIUS);
  const draw = (at: Point, canvas: Canvas): void => {
    const start = { x: at.x + RADIUS, y: at.y };
    canvas.track(at, right(RADIUS));
    shape.draw(start, canvas);
    const end = { x: start.x + shape.width, y: at.y + shape.exit };
    const turn = { x: start.x + inner, y: end.y };
    canvas.track(end, right(inner - shape.width));
    canvas.track(turn, right(RADIUS));
    const before = Math.floor((inner - separator.width) / 2);
    canvas.track(
      turn,
      BEND.rightDown +
        down(level - shape.exit - 2 * RADIUS) +
        BEND.downLeft +
        right(-(inner - separator.width - before)),
    );
    separator.draw({ x: start.x + before, y: at.y + level }, canvas);
    canvas.track(
      { x: start.x + before, y: at.y + level },
      `${right(-before)}${BEND.leftUp}${down(2 * RADIUS - level)}${BEND.upRight}`,
    );
  };
  return { width, top: shape.top, bottom: level + separator.bottom, exit: shape.exit, draw };
}
