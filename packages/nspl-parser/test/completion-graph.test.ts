import { beforeAll, expect, test, vi } from 'vitest';
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
  recordedTerminals,
  refusal,
  seeded,
  terminalsAt,
  Ways,
} from './support/completion-graph.ts';
import { numbered } from './support/completion-samples.ts';

const TIMEOUT_MS = 120_000;
vi.setConfig({ testTimeout: TIMEOUT_MS });

let graph: CompletionGraph;
let places: readonly Place[] = [];
let ways: Ways;

beforeAll(() => {
  graph = new CompletionGraph();
  ({ places } = graph);
  ways = new Ways(places);
  const pick = seeded(1);
  for (const place of places) {
    // The way found first may be one on which what may stand here is refused.
    for (let attempt = 0; place.isDoomed && attempt < ATTEMPTS; attempt += 1) {
      const text = ways.beginning(place, pick);
      Object.assign(place, { text, isDoomed: isDoomed(text) });
    }
  }
}, TIMEOUT_MS);

const ATTEMPTS = 2000;
const WALKS = 400;
const STEPS_MAX = 40;
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

test('NSPL 11: every terminal of the grammar stands at some place', () => {
  const visited = new Set(places.flatMap(({ text }) => terminalsAt(text)));
  const recorded = recordedTerminals();
  expect(recorded.size).toBeGreaterThan(300);
  expect([...recorded].filter((terminal) => !visited.has(terminal))).toEqual([]);
});

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

/** Takes an item as an editor does: types its first half, then accepts it. */
function accept(text: string, item: CompletionItem): string {
  const half = item.insertText.slice(0, Math.ceil(item.insertText.length / 2)).toLowerCase();
  const typed = /^[a-z0-9_]+$/u.test(half) ? text + half : text;
  const { items, replace } = completeAt(typed, Buffer.byteLength(typed), EVERYTHING);
  expect(items, typed).toContainEqual(item);
  expect(replace).toEqual({ start: text.length, end: typed.length });
  return `${typed.slice(0, replace.start)}${item.insertText} `;
}

/** Text behind a number of steps, each of them chosen from what is offered. */
function walk(pick: Pick): string {
  let text = '';
  for (let steps = pick(STEPS_MAX); steps > 0; steps -= 1) {
    const offered = [...offeredAt(text)];
    if (offered.length === 0) break;
    const [candidate, items] = offered[pick(offered.length)]!;
    const item = items[pick(Math.max(items.length, 1))];
    const [sample = ''] = item === undefined ? fillings(candidate) : [];
    const next = item === undefined ? `${text}${numbered(sample)} ` : accept(text, item);
    // A sample that does not suit the place is none; the same types nest any number of times.
    if (graph.placeOf(next) === undefined || isDoomed(next)) continue;
    text = next;
  }
  return text;
}

const ENDINGS_TRIED = 200;

/** What keeps a text from becoming a statement; undefined when something completes it. */
function obstacle(text: string, pick: Pick): string | undefined {
  const place = graph.placeOf(text)!;
  let message: string | undefined;
  for (let attempt = 0; attempt < ENDINGS_TRIED; attempt += 1) {
    message = refusal(text + ways.ending(place, attempt === 0 ? FIRST : pick));
    if (message === undefined) return undefined;
  }
  return message;
}

test('NSPL 11: walks over what is offered can always be ended', () => {
  const pick = seeded(20_260_101);
  const obstacles = new Map<string, string>();
  for (let count = 0; count < WALKS; count += 1) {
    const text = walk(pick);
    const message = obstacle(text, pick);
    if (message !== undefined) obstacles.set(message, text);
  }
  expect([...obstacles]).toEqual([]);
});
