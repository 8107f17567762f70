import { type IProduction, NonTerminal, Terminal } from 'chevrotain';
import { type Expectations, expectationsOf } from '../../src/expectations.ts';
import { isHidden } from '../../src/grammar/grammar-host.ts';
import type { GrammarState } from '../../src/grammar-states.ts';
import { type Catalog, type CompletionItem, completeAt, parseStatement } from '../../src/index.ts';
import { Lexer } from '../../src/lexer.ts';
import { STATEMENT_RULE, statementParser } from '../../src/parser.ts';
import { numbered, samplesOf } from './completion-samples.ts';

/** Knows two names of everything. */
export const EVERYTHING: Catalog = {
  names: (kind) => [`${kind}_a`, `${kind}_b`],
  completedVersions: () => ['1', '2'],
  fields: () => ['field_a', 'field_b'],
  hasHeaders: () => true,
};

/** A place of the grammar as texts reach it: everything that may stand next is the same there. */
export interface Place {
  /** A text that reaches it; one that the parser does not refuse, if there is any. */
  text: string;
  isDoomed: boolean;
  /** Whether a statement may end here. */
  readonly isComplete: boolean;
  readonly edges: Edge[];
  /** Edges that lead here. */
  readonly sources: Edge[];
}

/** A candidate with a text that fills it. */
export interface Edge {
  readonly candidate: string;
  /** A text that fills it; `#` in it stands for a number. */
  readonly sample: string;
  readonly source: Place;
  readonly target: Place;
}

/** One level of nested types shows what all others are like. */
const LEVELS_MAX = 1;

const start = statementParser().host.recordOf(STATEMENT_RULE);

export function expectationsAt(text: string): Expectations {
  return expectationsOf(start, new Lexer(text).next()?.tokens ?? []);
}

/** Labels of what may stand next; hidden ones are read only to be refused. */
export function candidatesAt({ readings }: Expectations): readonly string[] {
  const labels = readings.flatMap(({ state }) => state.steps.map(({ label }) => label));
  return [...new Set(labels)].filter((label) => !isHidden(label));
}

/** Every terminal that a statement may have, by label and type; hidden ones are only refused. */
export function recordedTerminals(): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<IProduction>();
  const visit = (production: IProduction): void => {
    if (seen.has(production)) return;
    seen.add(production);
    if (production instanceof Terminal) {
      const { terminalType: type } = production;
      const label = production.label ?? type.LABEL ?? type.name;
      if (!isHidden(label)) found.add(`${label} (${type.name})`);
    } else if (production instanceof NonTerminal) visit(production.referencedRule);
    else if ('definition' in production) {
      for (const part of production.definition as IProduction[]) visit(part);
    }
  };
  visit(start);
  return found;
}

/** Terminals that may stand next, as {@link recordedTerminals} names them. */
export function terminalsAt(text: string): readonly string[] {
  return expectationsAt(text).readings.flatMap(({ state }) =>
    state.steps.map(({ label, type }) => `${label} (${type.name})`),
  );
}

/** Message of the refusal of a text; undefined when it is a statement. */
export function refusal(text: string): string | undefined {
  const result = parseStatement(text);
  return result.kind === 'parsed' ? undefined : result.errors.map((error) => error.message).join();
}

/** Whether the parser has a verdict of its own on a text, so that nothing can complete it. */
export function isDoomed(text: string): boolean {
  const result = parseStatement(text);
  return result.kind === 'refused' && result.errors.some(({ code }) => code === 'NSPL_REFUSED');
}

/** What is offered at the end of a text, by the candidate that it is offered for. */
export function offeredAt(text: string): ReadonlyMap<string, readonly CompletionItem[]> {
  const { items, placeholders } = completeAt(text, Buffer.byteLength(text), EVERYTHING);
  const offered = new Map<string, readonly CompletionItem[]>(
    placeholders.map((label) => [label, []]),
  );
  for (const item of items) {
    if (item.label === ';' || item.kind === 'function') continue;
    if (item.kind === 'field' && item.detail === undefined) continue;
    const candidate = item.detail ?? item.label;
    offered.set(candidate, [...(offered.get(candidate) ?? []), item]);
  }
  return offered;
}

/** Texts that may fill a candidate, the first whole; a slot without samples is a fault of the samples. */
export function fillings(candidate: string): readonly string[] {
  if (!/^[a-z]/u.test(candidate)) {
    // The first word of a phrase leads to the place where the others are offered.
    const [first = ''] = candidate.split(' ');
    return first === candidate ? [candidate] : [candidate, first];
  }
  if (candidate.startsWith('ref:')) {
    const kind = candidate.slice('ref:'.length);
    return [`${kind}_#`, `'${kind}_#'`];
  }
  const samples = samplesOf(candidate);
  if (samples === undefined) throw new Error(`no sample text for the slot ${candidate}`);
  return samples;
}

/** Every place of the grammar that completion leads to, found by following what is offered. */
export class CompletionGraph {
  readonly places: Place[] = [];
  readonly #places = new Map<string, Place>();
  readonly #states = new Map<GrammarState, number>();

  constructor() {
    this.#reach('');
    // The list grows while it is walked.
    for (const place of this.places) this.#expand(place);
  }

  /** The place that a text reaches; undefined when it has not been visited. */
  placeOf(text: string): Place | undefined {
    const key = this.#keyOf(expectationsAt(text));
    return key === undefined ? undefined : this.#places.get(key);
  }

  #keyOf({ readings }: Expectations): string | undefined {
    if (readings.length === 0) return undefined;
    if (readings.some(({ state }) => state.level > LEVELS_MAX)) return undefined;
    const ids = readings.map(({ state }) => {
      const id = this.#states.get(state) ?? this.#states.size;
      this.#states.set(state, id);
      return id;
    });
    return ids.sort((one, other) => one - other).join();
  }

  #reach(text: string): Place | undefined {
    const expectations = expectationsAt(text);
    const key = this.#keyOf(expectations);
    if (key === undefined) return undefined;
    const known = this.#places.get(key);
    if (known === undefined) {
      const { isComplete } = expectations;
      const place = { text, isDoomed: isDoomed(text), isComplete, edges: [], sources: [] };
      this.#places.set(key, place);
      this.places.push(place);
      return place;
    }
    if (known.isDoomed) Object.assign(known, { text, isDoomed: isDoomed(text) });
    return known;
  }

  #expand(place: Place): void {
    for (const candidate of candidatesAt(expectationsAt(place.text))) {
      const samples = fillings(candidate);
      const whole = samples.filter((sample) => !sample.startsWith('…'));
      if (this.#follow(place, candidate, whole)) continue;
      const rests = samples.filter((sample) => sample.startsWith('…'));
      this.#follow(
        place,
        candidate,
        rests.map((sample) => sample.slice(1)),
      );
    }
  }

  /** Follows the samples that fit; tells whether any does. */
  #follow(source: Place, candidate: string, samples: readonly string[]): boolean {
    let isAny = false;
    for (const sample of samples) {
      const target = this.#reach(`${source.text}${numbered(sample)} `);
      if (target === undefined) continue;
      const edge: Edge = { candidate, sample, source, target };
      source.edges.push(edge);
      target.sources.push(edge);
      isAny = true;
    }
    return isAny;
  }
}

/** Chooses one of a number of things. */
export type Pick = (count: number) => number;

/** Steps of a way that may lead away from the start. */
const DETOURS_MAX = 8;

/** Ways through the graph. */
export class Ways {
  readonly #fromStart = new Map<Place, number>();
  readonly #toEnd = new Map<Place, number>();

  constructor(places: readonly Place[]) {
    const first = places[0]!;
    measure(this.#fromStart, [first], ({ edges }) => edges.map(({ target }) => target));
    const ends = places.filter(({ isComplete }) => isComplete);
    measure(this.#toEnd, ends, ({ sources }) => sources.map(({ source }) => source));
  }

  /** A text that completes what stands before a place; undefined where nothing does. */
  ending(place: Place, pick: Pick): string | undefined {
    let text = '';
    let at = place;
    for (;;) {
      const distance = this.#toEnd.get(at);
      if (distance === undefined) return undefined;
      if (distance === 0) return text;
      const nearer = at.edges.filter(({ target }) => this.#toEnd.get(target) === distance - 1);
      const edge = nearer[pick(nearer.length)]!;
      text += `${numbered(edge.sample)} `;
      at = edge.target;
    }
  }

  /** A text that leads to a place, mostly but not only on the shortest way. */
  beginning(place: Place, pick: Pick): string {
    let text = '';
    let at = place;
    let detours = DETOURS_MAX;
    for (;;) {
      const distance = this.#fromStart.get(at) ?? 0;
      if (distance === 0) return text;
      const isDetour = detours > 0 && pick(2) === 0;
      const before = isDetour
        ? at.sources
        : at.sources.filter(({ source }) => (this.#fromStart.get(source) ?? 0) < distance);
      if (isDetour) detours -= 1;
      const edge = before[pick(before.length)]!;
      text = `${numbered(edge.sample)} ${text}`;
      at = edge.source;
    }
  }
}

/** Number of steps from the nearest of some places to every other. */
function measure(
  distances: Map<Place, number>,
  origins: readonly Place[],
  next: (place: Place) => readonly Place[],
): void {
  const queue = [...origins];
  for (const place of origins) distances.set(place, 0);
  for (const place of queue) {
    for (const other of next(place)) {
      if (distances.has(other)) continue;
      distances.set(other, (distances.get(place) ?? 0) + 1);
      queue.push(other);
    }
  }
}

/** Numbers that are the same in every run. */
export function seeded(seed: number): Pick {
  let state = seed >>> 0;
  return (count) => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  };
}
