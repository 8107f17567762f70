import type { GrammarNode } from '@nervix/nspl-parser/grammar';
import {
  box,
  choice,
  type Label,
  loop,
  nothing,
  optional,
  RADIUS,
  ROW_GAP,
  row,
  type Shape,
  stack,
} from './shape.ts';

/** Where the box of a rule leads, relative to the drawing; undefined where there is nothing. */
export type LinkOf = (rule: string) => string | undefined;

/** Longest text of one box of keywords. */
const KEYWORDS_MAX = 32;

/**
 * Lays a piece of a grammar out. Rows that are too long continue below; what cannot be split may
 * still be wider.
 *
 * @param widthMax in pixels
 */
export function layOut(node: GrammarNode, widthMax: number, linkOf: LinkOf): Shape {
  const inner = (child: GrammarNode, margin: number): Shape =>
    layOut(child, widthMax - margin, linkOf);
  switch (node.kind) {
    case 'keyword':
    case 'punctuation':
      return box({ text: node.text, look: node.kind });
    case 'value':
      return box({ text: shownLabel(node.label), look: 'value' });
    case 'rule':
      return box(ruleLabel(node, linkOf));
    case 'optional':
      return optional(inner(node.item, 4 * RADIUS));
    case 'choice':
      return choice(node.alternatives.map((each) => inner(each, 4 * RADIUS)));
    case 'repeat': {
      // The track comes back through the separator, which therefore stays in one row.
      const separator =
        node.separator === null
          ? nothing()
          : layOut(node.separator, Number.POSITIVE_INFINITY, linkOf);
      return loop(inner(node.item, 2 * RADIUS), separator);
    }
    case 'sequence':
      return wrap(joinKeywords(node.items), widthMax, linkOf);
  }
}

/** The name of a rule as people read it. */
export function shownRule(name: string): string {
  return name.replace(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`);
}

/** A label as people read it. */
export function shownLabel(label: string): string {
  return label.replace(/^ref:|_literal$/gu, '').replaceAll('_', ' ');
}

function ruleLabel(node: GrammarNode & { kind: 'rule' }, linkOf: LinkOf): Label {
  const text = node.label === undefined ? shownRule(node.name) : shownLabel(node.label);
  const link = linkOf(node.name);
  return link === undefined ? { text, look: 'rule' } : { text, look: 'rule', link };
}

/** Puts keywords that stand beside each other into one box. */
function joinKeywords(items: readonly GrammarNode[]): readonly GrammarNode[] {
  const joined: GrammarNode[] = [];
  for (const item of items) {
    const last = joined.at(-1);
    const text = item.kind === 'keyword' && last?.kind === 'keyword' && `${last.text} ${item.text}`;
    if (typeof text === 'string' && text.length <= KEYWORDS_MAX) {
      joined[joined.length - 1] = { kind: 'keyword', text };
    } else joined.push(item);
  }
  return joined;
}

function wrap(items: readonly GrammarNode[], widthMax: number, linkOf: LinkOf): Shape {
  const whole = row(items.map((item) => layOut(item, widthMax, linkOf)));
  if (whole.width <= widthMax || items.length < 2) return whole;
  const rowMax = widthMax - 4 * RADIUS;
  const rows: Shape[][] = [];
  let width = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const shape = layOut(item, rowMax, linkOf);
    width += ROW_GAP + shape.width;
    if (width > rowMax) {
      rows.push([]);
      width = shape.width;
    }
    rows.at(-1)?.push(shape);
  }
  return stack(rows.map((shapes) => row(shapes)));
}
