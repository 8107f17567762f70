import { beforeAll, expect, test } from 'vitest';
import { type CompletionItem, completeAt } from '../src/index.ts';
import {
  CompletionGraph,
  candidatesAt,
  type Edge,
  EVERYTHING,
  expectationsAt,
  fillings,
  isDoomed,
  offeredAt,
  type Pick,
  type Place,
  refusal,
  seeded,
  Ways,
} from './support/completion-graph.ts';
import { numbered } from './support/completion-samples.ts';

let graph: CompletionGraph;
let places: readonly Place[] = [];
let ways: Ways;

beforeAll(() => {
  graph = new CompletionGraph();
  ({ places } = graph);
  ways = new Ways(places);
}, 120_000);

const WALKS = 400;
const STEPS_MAX = 60;
const FIRST: Pick = () => 0;

test('NSPL 11: at every place of the grammar exactly what it takes is offered', () => {
  const faults: string[] = [];
  for (const { text } of places) {
    const taken = new Set(candidatesAt(expectationsAt(text)));
    const offered = offeredAt(text);
    if (offered.size === 0 && taken.size > 0) faults.push(`${text}| nothing`);
    for (const label of offered.keys()) if (!taken.has(label)) faults.push(`${text}| ${label}`);
    for (const label of taken) {
      // What is taken only to be refused is left out.
      if (!offered.has(label) && !isDoomed(text + label)) faults.push(`${text}| without ${label}`);
    }
  }
  expect(faults).toEqual([]);
});

const ATTEMPTS = 2000;

/** A statement that takes one of the edges, if there is any. */
function proof(edges: readonly Edge[]): string | undefined {
  const random = seeded(1);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const pick = attempt === 0 ? FIRST : random;
    const { source, sample, target } = edges[pick(edges.length)]!;
    const before = attempt === 0 ? source.text : ways.beginning(source, pick);
    const ending = ways.ending(target, pick);
    if (ending === undefined) return undefined;
    const text = `${before}${numbered(sample)} ${ending}`;
    if (refusal(text) === undefined) return text;
  }
  return undefined;
}

test('NSPL 11: at every place every candidate leads to a statement', () => {
  const faults: string[] = [];
  for (const place of places) {
    for (const [candidate, edges] of Map.groupBy(place.edges, (edge) => edge.candidate)) {
      if (proof(edges) !== undefined) continue;
      const text = `${place.text}${edges[0]?.sample} ${ways.ending(edges[0]!.target, FIRST)}`;
      faults.push(`${place.text}| ${candidate}: ${refusal(text)} in ${text}`);
    }
  }
  expect(faults).toEqual([]);
});

/** Takes a candidate as an editor does: types the half of an item, then accepts what is offered. */
function accept(text: string, item: CompletionItem): string {
  const half = item.insertText.slice(0, Math.ceil(item.insertText.length / 2)).toLowerCase();
  const isWord = /^[a-z0-9_]+$/u.test(half);
  const typed = isWord ? text + half : text;
  const { items, replace } = completeAt(typed, Buffer.byteLength(typed), EVERYTHING);
  expect(items, typed).toContainEqual(item);
  expect(replace).toEqual({ start: text.length, end: typed.length });
  return `${typed.slice(0, replace.start)}${item.insertText} `;
}

test('NSPL 11: random walks over what is offered end in statements', () => {
  const pick = seeded(20_260_101);
  const verdicts = new Map<string, string>();
  for (let walk = 0; walk < WALKS; walk += 1) {
    let text = '';
    let steps = pick(STEPS_MAX);
    while (steps > 0) {
      steps -= 1;
      const offered = [...offeredAt(text)];
      if (offered.length === 0) break;
      const [candidate, items] = offered[pick(offered.length)]!;
      const item = items[pick(Math.max(items.length, 1))];
      const next =
        item === undefined
          ? `${text}${numbered(fillings(candidate)[0] ?? '')} `
          : accept(text, item);
      if (graph.placeOf(next) === undefined || isDoomed(next)) continue;
      text = next;
    }
    text += ways.ending(graph.placeOf(text)!, pick);
    const message = refusal(text);
    if (message !== undefined) verdicts.set(message.replace(/'[^']*'/gu, "'…'"), text);
  }
  expect([...verdicts]).toEqual([]);
});
