import { beforeAll, describe, expect, test, vi } from 'vitest';
import { isHidden } from '../src/grammar/grammar-host.ts';
import { type ParseOptions, parseScript, parseStatement } from '../src/index.ts';
import { SERVER_STATEMENT_RULE, STATEMENT_RULE, statementParser } from '../src/parser.ts';
import {
  CompletionGraph,
  fillings,
  isDoomed,
  offeredAt,
  type Place,
  seeded,
  Ways,
} from './support/completion-graph.ts';
import { numbered } from './support/completion-samples.ts';
import { type Expected, type Frontier, RecordedGrammar } from './support/grammar-positions.ts';
import {
  earlyEnd,
  labelsBehind,
  NEVER_TAKEN,
  type NegativeCase,
  tokensOf,
  wrongToken,
} from './support/negative-cases.ts';

const TIMEOUT_MS = 120_000;
vi.setConfig({ testTimeout: TIMEOUT_MS });

const { host } = statementParser();
const grammar = new RecordedGrammar(host.recordOf(STATEMENT_RULE));
let places: readonly (readonly [Place, Frontier])[] = [];
let ways: Ways;

beforeAll(() => {
  const graph = new CompletionGraph();
  ways = new Ways(graph.places);
  places = graph.places.map((place) => [place, grammar.after(tokensOf(place.text))]);
}, TIMEOUT_MS);

/** How the refusal of a text differs from what is to be said; undefined when it does not. */
function fault(
  { text, message, pointed }: NegativeCase,
  options?: ParseOptions,
): string | undefined {
  const result = parseStatement(text, options);
  const refusals = result.kind === 'refused' ? result.errors : [];
  const bytes = Buffer.from(text);
  const found = refusals.map(({ message: said, span: { start, end } }) => [
    said,
    `${bytes.subarray(start, end)} at ${start}`,
  ]);
  const start = Buffer.byteLength(text) - Buffer.byteLength(pointed === '' ? ';' : pointed);
  const wanted = [[message, `${pointed} at ${start}`]];
  if (JSON.stringify(found) === JSON.stringify(wanted)) return undefined;
  return `${text}\n  ${found.flat().join('; ')}\n  not ${wanted.flat().join('; ')}`;
}

describe('NSPL 10: at every place of the grammar', () => {
  test('a wrong token is refused by what may stand there', () => {
    const cases = places
      .filter(([{ isDoomed }]) => !isDoomed)
      .map(([{ text }, frontier], index) => wrongToken(text, frontier, index));
    expect(cases.length).toBeGreaterThan(10_000);
    expect(cases.map((each) => fault(each)).filter((each) => each !== undefined)).toEqual([]);
  });

  test('an end is refused by what may stand there, unless a statement may end', () => {
    const faults = places.map(([{ text, isDoomed, isComplete }, frontier]) => {
      if (isComplete !== frontier.isEnd) return `${text}| ${isComplete ? 'ends' : 'goes on'}`;
      // Nothing at all is no statement that ends too early.
      if (isDoomed || isComplete || text === '') return undefined;
      return fault(earlyEnd(text, frontier));
    });
    expect(faults.filter((each) => each !== undefined)).toEqual([]);
  });
});

/** A text that fills a terminal, hidden or not. */
function sampleOf({ label, terminal }: Expected): string {
  const shown = isHidden(label) ? terminal.terminalType.LABEL : label;
  if (shown === undefined || shown === 'identifier') return 'word';
  return fillings(shown)[0] ?? '';
}

/** Texts that go on behind another with what is read only to be refused, until that is refused. */
function waysToRefusals(text: string, terminals: readonly Expected[]): readonly string[] {
  return terminals.flatMap((expected) => {
    const way = `${text}${numbered(sampleOf(expected))} `;
    if (isDoomed(way)) return [];
    return [way, ...waysToRefusals(way, grammar.behind(expected).terminals)];
  });
}

/** What is said of a text that is no statement: no reading that may be one gets further. */
function sayingOf(text: string): string | undefined {
  const tokens = tokensOf(text);
  for (let count = tokens.length; count >= 0; count -= 1) {
    const frontier = grammar.after(tokens.slice(0, count));
    if (frontier.terminals.length === 0 && !frontier.isEnd) continue;
    if (count === tokens.length && frontier.isEnd) return undefined;
    const { image: found, startOffset } = tokens[count] ?? { image: 'end of input' };
    const before = text.slice(0, startOffset);
    const expected = labelsBehind(before, frontier).join(' | ');
    return `expected ${expected}, found ${found} at ${before.trimEnd().length}`;
  }
  return undefined;
}

describe('NSPL 10: behind what is read only to be refused', () => {
  test('what is not refused for it is refused by what may stand in its place', () => {
    const faults: string[] = [];
    let count = 0;
    for (const [{ text, isDoomed: isLost }, { terminals }] of places) {
      if (isLost) continue;
      const ways = waysToRefusals(
        text,
        terminals.filter(({ label }) => isHidden(label)),
      );
      for (const way of ways.flatMap((each) => [each, `${each}${NEVER_TAKEN[0]}`])) {
        if (isDoomed(way)) continue;
        const wanted = sayingOf(way);
        if (wanted === undefined) continue;
        count += 1;
        // What is said does not depend on the statements around, which are read.
        const around = 'LIST DOMAINS; ';
        const { statements, errors } = parseScript(`${around}${way}; ${around}`);
        const said = errors.map(({ message, span }) => {
          const before = way.slice(0, span.start - around.length);
          return `${message} at ${before.trimEnd().length}`;
        });
        if (statements.length === 2 && said.join() === wanted) continue;
        faults.push(`${way}\n  ${said.join('; ')}\n  not ${wanted}`);
      }
    }
    expect(count).toBeGreaterThan(100);
    expect(faults).toEqual([]);
  });
});

/** A terminal that a rule may read at some place, as what it writes itself or as its beginning. */
interface Reading {
  readonly place: Place;
  readonly expected: Expected;
}

/** Where rules may read what completion can offer. */
function readingsByRule(): ReadonlyMap<string, readonly Reading[]> {
  const readings = new Map<string, Reading[]>();
  for (const [place, { terminals }] of places) {
    for (const expected of terminals) {
      if (isHidden(expected.label)) continue;
      for (const rule of new Set([expected.owner, ...expected.begun])) {
        const known = readings.get(rule) ?? [];
        readings.set(rule, known);
        known.push({ place, expected });
      }
    }
  }
  return readings;
}

/** Rules that the parser enters meanwhile. */
function rulesEntered(read: () => void): ReadonlySet<string> {
  const entered = new Set<string>();
  const enter = host.ruleInvocationStateUpdate;
  const spy = vi
    .spyOn(host, 'ruleInvocationStateUpdate')
    .mockImplementation((rule, name, index) => {
      entered.add(name);
      enter.call(host, rule, name, index);
    });
  read();
  spy.mockRestore();
  return entered;
}

/** Rules that have a part in a statement; none for what is no statement. */
function rulesOf(text: string, options?: ParseOptions): ReadonlySet<string> {
  let isStatement = false;
  const entered = rulesEntered(() => {
    isStatement = parseStatement(text, options).kind === 'parsed';
  });
  return isStatement ? entered : new Set();
}

const ATTEMPTS = 400;

/** A statement that a rule has a part in. */
function statementWith(rule: string, readings: readonly Reading[]): string | undefined {
  const random = seeded(1);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const pick = attempt === 0 ? () => 0 : random;
    const { place, expected } = readings[pick(readings.length)]!;
    const edges = place.edges.filter(({ candidate }) => candidate === expected.label);
    const edge = edges[pick(edges.length)];
    const ending = edge && ways.ending(edge.target, pick);
    if (edge === undefined || ending === undefined) continue;
    const text = `${place.text}${numbered(edge.sample)} ${ending}`;
    if (rulesOf(text).has(rule)) return text;
  }
  return undefined;
}

/** What only a node reads, which no client offers. */
const SERVER_TEXTS = [
  'BACKUP CLUSTER WITHOUT RESOURCES WITHOUT PAUSE',
  'BACKUP DOMAIN d TIMEOUT 5s',
  'RESTORE CLUSTER RESUME ON EXISTING USER SKIP DRY RUN',
  'RESTORE DOMAIN d AS e RESUME WITHOUT SOURCE OFFSETS ACCEPT STATE LOSS WAIT 5s',
  'STOP',
];

/** What is read only to be refused. */
const REFUSED_TEXTS: Readonly<Record<string, string>> = {
  windowRefusedMessages: `CREATE WINDOW PROCESSOR w FROM a WIDTH 1s DURATION STEP 1 MESSAGES`,
  windowRefusedDuration: `CREATE WINDOW PROCESSOR w FROM a WIDTH 1 MESSAGES STEP 1s DURATION`,
};

describe('NSPL 2-7, 14: every rule of the grammar', () => {
  let readings: ReadonlyMap<string, readonly Reading[]>;
  beforeAll(() => {
    readings = readingsByRule();
  });
  /** Rules of which no reading has a property. */
  const lacking = (has: (readings: readonly Reading[], rule: string) => boolean): string[] =>
    [...readings].filter(([rule, where]) => !has(where, rule)).map(([rule]) => rule);

  test('has a part in a statement', () => {
    expect(lacking((where, rule) => statementWith(rule, where) !== undefined)).toEqual([]);
  });

  test('is refused in its own words somewhere', () => {
    // What may stand at such a place is what the refusals above list.
    expect(lacking((where) => where.some(({ place }) => !place.isDoomed))).toEqual([]);
  });

  test('is offered somewhere', () => {
    const isOffered = ({ place, expected }: Reading) => offeredAt(place.text).has(expected.label);
    expect(lacking((where) => where.some(isOffered))).toEqual([]);
  });

  test('is read by a client, by a node or to be refused', () => {
    const server = SERVER_TEXTS.flatMap((text) => [...rulesOf(text, { grammar: 'server' })]);
    const known = [...readings.keys(), ...server, ...Object.keys(REFUSED_TEXTS)];
    expect([...new Set(known)].sort()).toEqual(Object.keys(host.recorded()).sort());
    expect(server.filter((rule) => rule in REFUSED_TEXTS)).toEqual([]);
  });
});

test.each(SERVER_TEXTS)('NSPL 4: %s is refused by what a node may read', (text) => {
  const nodeGrammar = new RecordedGrammar(host.recordOf(SERVER_STATEMENT_RULE));
  const words = text.split(' ');
  const faults = words.map((_, index) => {
    const before = words
      .slice(0, index)
      .map((word) => `${word} `)
      .join('');
    const frontier = nodeGrammar.after(tokensOf(before));
    return fault(wrongToken(before, frontier, index), { grammar: 'server' });
  });
  expect(faults.filter((each) => each !== undefined)).toEqual([]);
});

test.each(Object.entries(REFUSED_TEXTS))('NSPL 6.4: %s has a verdict of its own', (rule, text) => {
  expect(rulesEntered(() => expect(isDoomed(text)).toBe(true))).toContain(rule);
});
