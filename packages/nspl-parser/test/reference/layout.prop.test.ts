import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { layOut } from '../../scripts/reference/diagram.ts';
import type { Canvas, Label, Point, Shape } from '../../scripts/reference/shape.ts';
import { drawDiagram } from '../../scripts/reference/svg.ts';
import { describeGrammar, type GrammarNode } from '../../src/grammar.ts';
import { choiceOf, isEmpty, optionalOf, sequenceOf } from '../../src/grammar-node.ts';

const node: fc.Arbitrary<GrammarNode> = fc.letrec<{ node: GrammarNode }>((tie) => {
  const inner = tie('node');
  const several = fc.array(inner, { minLength: 1, maxLength: 5 });
  return {
    node: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'diagram' },
      fc
        .constantFrom('A', 'FLUSH', 'MATERIALIZED')
        .map((text) => ({ kind: 'keyword' as const, text })),
      fc.constantFrom(',', '::').map((text) => ({ kind: 'punctuation' as const, text })),
      fc
        .constantFrom('ref:relay', 'duration_literal')
        .map((label) => ({ kind: 'value' as const, label })),
      fc.constant({ kind: 'rule' as const, name: 'flushedRoute' }),
      several.map(sequenceOf),
      several.map(choiceOf),
      inner.map(optionalOf),
      fc.record({
        kind: fc.constant('repeat' as const),
        item: inner,
        separator: fc.option(inner),
      }),
    ),
  };
}).node;

interface Box {
  readonly left: Point;
  readonly width: number;
}

/** Keeps what is drawn as places that track leads between. */
class Recorder implements Canvas {
  readonly ends: Point[] = [];
  readonly places: Point[] = [];
  readonly boxes: Box[] = [];

  track(from: Point, commands: string): void {
    let { x, y } = from;
    for (const [, command, list = ''] of commands.matchAll(/([a-z])([^a-z]*)/gu)) {
      const numbers = list.trim().split(' ').map(Number);
      if (command === 'h') x += numbers[0]!;
      else if (command === 'v') y += numbers[0]!;
      else {
        expect(command).toBe('a');
        x += numbers[5]!;
        y += numbers[6]!;
      }
      this.places.push({ x, y });
    }
    if (commands !== '') this.ends.push(from, { x, y });
  }

  box(left: Point, width: number, _label: Label): void {
    this.boxes.push({ left, width });
    this.ends.push(left, { x: left.x + width, y: left.y });
  }
}

function drawn(shape: Shape): Recorder {
  const recorder = new Recorder();
  shape.draw({ x: 0, y: 0 }, recorder);
  return recorder;
}

const isOverlapping = (one: Box, other: Box): boolean =>
  Math.abs(one.left.y - other.left.y) < 24 &&
  one.left.x < other.left.x + other.width &&
  other.left.x < one.left.x + one.width;

function checkShape(shape: Shape): void {
  const { ends, places, boxes } = drawn(shape);
  // The track of what surrounds the shape.
  ends.push({ x: 0, y: 0 }, { x: shape.width, y: shape.exit });
  const counts = new Map<string, number>();
  for (const { x, y } of ends) counts.set(`${x},${y}`, (counts.get(`${x},${y}`) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count < 2)).toEqual([]);
  expect(
    [...ends, ...places].filter(({ x, y }) => !Number.isInteger(x) || !Number.isInteger(y)),
  ).toEqual([]);
  const isOutside = ({ x, y }: Point): boolean =>
    x < 0 || x > shape.width || y < -shape.top || y > shape.bottom;
  expect([...ends, ...places].filter(isOutside)).toEqual([]);
  const isBoxOutside = ({ left: { y } }: Box): boolean =>
    y - 12 < -shape.top || y + 12 > shape.bottom;
  expect(boxes.filter(isBoxOutside)).toEqual([]);
  const pairs = boxes.flatMap((one, index) =>
    boxes.slice(index + 1).flatMap((other) => (isOverlapping(one, other) ? [[one, other]] : [])),
  );
  expect(pairs).toEqual([]);
}

const grammar = describeGrammar();

describe('diagrams', () => {
  test('have track from end to end, inside of their bounds, and boxes apart from each other', () => {
    fc.assert(
      fc.property(node, fc.integer({ min: 100, max: 1000 }), (piece, width) => {
        fc.pre(!isEmpty(piece));
        checkShape(layOut(piece, width, () => undefined));
      }),
      { numRuns: 500 },
    );
  });

  test.each([...grammar.statements, ...grammar.expressions])('of %s are sound', (_, rule) => {
    const shape = layOut(rule, 740, () => undefined);
    checkShape(shape);
    expect(shape.width).toBeLessThanOrEqual(740);
  });

  test('longer rows continue below', () => {
    const words = 'ABCDEFGHIJ'
      .split('')
      .map((text): GrammarNode => ({ kind: 'value', label: text }));
    const wide = layOut(sequenceOf(words), 1000, () => undefined);
    const narrow = layOut(sequenceOf(words), 150, () => undefined);
    expect(wide.exit).toBe(0);
    expect(narrow.width).toBeLessThanOrEqual(150);
    expect(narrow.exit).toBeGreaterThan(0);
  });

  test('keywords beside each other share a box', () => {
    const words = ['ON', 'MESSAGE', 'ERROR'].map(
      (text): GrammarNode => ({ kind: 'keyword', text }),
    );
    expect(drawn(layOut(sequenceOf(words), 500, () => undefined)).boxes).toHaveLength(1);
  });
});

describe('SVG files', () => {
  const text = drawDiagram(
    'a < b & "c"',
    sequenceOf([
      { kind: 'punctuation', text: '<' },
      { kind: 'rule', name: 'flushedRoute' },
      { kind: 'rule', name: 'unknown' },
    ]),
    (rule) => (rule === 'flushedRoute' ? 'rules/flushed-route.svg' : undefined),
  );

  test('escape what they hold', () => {
    expect(text).toContain('<title>a &lt; b &amp; &quot;c&quot;</title>');
    expect(text).toContain('>&lt;</text>');
  });

  test('link the rules that are shown elsewhere', () => {
    expect(text.match(/<a href="[^"]*">/gu)).toEqual(['<a href="rules/flushed-route.svg">']);
    expect(text).toContain('>unknown</text>');
  });

  test('close every element and reserve room for everything', () => {
    const open: string[] = [];
    for (const [, slash, name, , self] of text.matchAll(/<(\/?)([a-z]+)([^>]*?)(\/?)>/gu)) {
      if (slash === '/') expect(open.pop()).toBe(name);
      else if (self !== '/') open.push(name!);
    }
    expect(open).toEqual([]);
    expect(text).toMatch(/^<svg [^>]*width="(\d+)" height="(\d+)" viewBox="0 0 \1 \2"/u);
  });

  test('have colors for dark surroundings', () => {
    expect(text).toContain('@media(prefers-color-scheme:dark)');
  });
});
