import { fc } from '@fast-check/vitest';

/** A node between relays. Relays are named by their places in a list. */
interface DrawnNode {
  readonly kind: 'junction' | 'deduplicator' | 'window' | 'emitter';
  readonly inputs: readonly number[];
  /** Whether the inputs are relays of another schema, which has the same fields. */
  readonly areTwins: boolean;
  readonly outputs: readonly number[];
  readonly isAttached: boolean;
  readonly least: number;
  readonly collectMs: number;
  readonly flushMs: number;
  readonly hasErrorRoute: boolean;
  /** The key of a deduplicator, the aggregate of a window. */
  readonly field: 'id' | 'amount';
  /** The hours of a deduplicator, the messages of a window. */
  readonly size: number;
}

/** An entry of a domain. */
interface DrawnEntry {
  readonly outputs: readonly number[];
  readonly least: number;
  readonly hasErrorRoute: boolean;
  readonly path: number;
  /** Whether it listens at another endpoint, which is created with it. */
  readonly isElsewhere: boolean;
  /** Whether a delay is written in milliseconds, which means the same. */
  readonly isInMillis: boolean;
}

/** An endpoint of its own name. */
interface DrawnSilentEndpoint {
  readonly at: number;
  readonly path: number;
}

/** A domain to print as statements. */
export interface DrawnDomain {
  readonly capacities: readonly number[];
  readonly entries: readonly DrawnEntry[];
  readonly nodes: readonly DrawnNode[];
  /** Whether the schema of most relays has a field more. */
  readonly hasMore: boolean;
  /** Whether a schema that nobody uses has a field more. */
  readonly hasSpare: boolean;
  /** Endpoints at which nothing listens. */
  readonly silent: readonly DrawnSilentEndpoint[];
  /** Of a client that emitters use, if there are any. */
  readonly timeoutMs: number;
}

/** One or two of the relays of events. */
const places = fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 2 });

const drawnNode: fc.Arbitrary<DrawnNode> = fc.record({
  kind: fc.constantFrom('junction', 'deduplicator', 'window', 'emitter'),
  inputs: places,
  areTwins: fc.boolean(),
  outputs: places,
  isAttached: fc.boolean(),
  least: fc.nat(2),
  collectMs: fc.constantFrom(0, 5),
  flushMs: fc.constantFrom(0, 20),
  hasErrorRoute: fc.boolean(),
  field: fc.constantFrom('id', 'amount'),
  size: fc.integer({ min: 1, max: 3 }),
});

const drawnEntry: fc.Arbitrary<DrawnEntry> = fc.record({
  outputs: places,
  least: fc.nat(2),
  hasErrorRoute: fc.boolean(),
  path: fc.nat(2),
  isElsewhere: fc.boolean(),
  isInMillis: fc.boolean(),
});

/** Six relays of events with up to six nodes anyhow between them, and their errors and sums. */
const drawnDomain: fc.Arbitrary<DrawnDomain> = fc.record({
  capacities: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 10, maxLength: 10 }),
  entries: fc.array(drawnEntry, { maxLength: 2 }),
  nodes: fc.array(drawnNode, { minLength: 1, maxLength: 6 }),
  hasMore: fc.boolean(),
  hasSpare: fc.boolean(),
  silent: fc.uniqueArray(fc.record({ at: fc.nat(2), path: fc.nat(1) }), {
    maxLength: 2,
    selector: ({ at }) => at,
  }),
  timeoutMs: fc.integer({ min: 1, max: 2 }),
});

/** Two domains that differ in one part or two. */
export const editedDomain: fc.Arbitrary<readonly [DrawnDomain, DrawnDomain]> = fc
  .record({
    before: drawnDomain,
    others: fc.array(fc.record({ other: drawnDomain, at: fc.nat(9), edit: fc.nat(99) }), {
      minLength: 1,
      maxLength: 2,
    }),
  })
  .map(({ before, others }) => [
    before,
    others.reduce((domain, { other, at, edit }) => edited(domain, other, at, edit), before),
  ]);

/**
 * The second of two such domains without what nothing that runs is built on: definitions that nobody
 * uses, and other words for the same.
 */
export function withoutUnused(first: DrawnDomain, second: DrawnDomain): DrawnDomain {
  const hasEmitter = first.nodes.some(({ kind }) => kind === 'emitter');
  return {
    ...second,
    hasSpare: first.hasSpare,
    silent: first.silent,
    timeoutMs: hasEmitter ? second.timeoutMs : first.timeoutMs,
    entries: second.entries.map((entry, at) => ({
      ...entry,
      isInMillis: first.entries[at]?.isInMillis ?? entry.isInMillis,
    })),
  };
}

const NODE_PARTS = Object.keys({
  inputs: 0,
  areTwins: 0,
  outputs: 0,
  isAttached: 0,
  least: 0,
  collectMs: 0,
  flushMs: 0,
  hasErrorRoute: 0,
  field: 0,
  size: 0,
} satisfies Record<Exclude<keyof DrawnNode, 'kind'>, 0>) as readonly (keyof DrawnNode)[];
const ENTRY_PARTS = Object.keys({
  outputs: 0,
  least: 0,
  hasErrorRoute: 0,
  path: 0,
  isElsewhere: 0,
  isInMillis: 0,
} satisfies Record<keyof DrawnEntry, 0>) as readonly (keyof DrawnEntry)[];
const WHOLE_PARTS = ['capacities', 'hasMore', 'hasSpare', 'silent', 'timeoutMs'] as const;

/** Takes one property of a node, an entry or the whole over, or adds or takes away a node. */
function edited(before: DrawnDomain, other: DrawnDomain, at: number, edit: number): DrawnDomain {
  const { nodes, entries } = before;
  if (edit < 60) {
    const changed = withPart(nodes, at, other.nodes[0], NODE_PARTS[edit % NODE_PARTS.length]);
    return { ...before, nodes: changed };
  }
  if (edit < 80) {
    const part = ENTRY_PARTS[edit % ENTRY_PARTS.length];
    return { ...before, entries: withPart(entries, at, other.entries[0], part) };
  }
  if (edit < 84) return { ...before, nodes: [...nodes, ...other.nodes.slice(0, 1)] };
  if (edit < 88) return { ...before, nodes: nodes.slice(0, -1) };
  const part = WHOLE_PARTS[edit % WHOLE_PARTS.length] as (typeof WHOLE_PARTS)[number];
  return { ...before, [part]: other[part] };
}

/** A list with one property of one of its items as another item has it. */
function withPart<Item extends object>(
  list: readonly Item[],
  at: number,
  other: Item | undefined,
  part: keyof Item | undefined,
): readonly Item[] {
  if (other === undefined || part === undefined) return list;
  return list.map((item, place) =>
    place === at % list.length ? { ...item, [part]: other[part] } : item,
  );
}

/** The statements that create a domain, each by the kind and name of what it creates. */
export function printed(domain: DrawnDomain): ReadonlyMap<string, string> {
  const made = new Map<string, string>();
  const add: Add = (identity, rest, mode = '') => {
    made.set(identity, `CREATE ${mode}${identity} ${rest};`);
  };
  const extra = domain.hasMore ? ', extra I64 OPTIONAL' : '';
  add('SCHEMA event', `(id I64, amount I64${extra})`);
  add('SCHEMA twin', `(id I64, amount I64${extra})`);
  add('SCHEMA spare', domain.hasSpare ? '(id I64, more I64)' : '(id I64)');
  add('SCHEMA failure', '(message STRING)');
  add('SCHEMA sum', '(total I64 OPTIONAL)');
  add('WIRE JSON SCHEMA event_json', 'MODE LOOSE (id INTEGER, amount INTEGER)');
  add('SCHEMA plain', '(id I64, amount I64)');
  add('CODEC plain_codec', 'FROM WIRE JSON SCHEMA event_json TO SCHEMA plain');
  add('VHOST web', 'a.example');
  for (const { at, path } of domain.silent) {
    add(`ENDPOINT silent${at}`, `ON web PATH '/silent/${at}/${path}' TYPE HTTP`);
  }
  const timeout = `{ 'endpoint' = 'http://127.0.0.1:9', 'timeout_ms' = ${domain.timeoutMs} }`;
  add('CLIENT desk', `TYPE HTTP CONFIG ${timeout}`);
  for (const [at, capacity] of domain.capacities.entries()) {
    const schema = SCHEMAS.get(relayName(at)) ?? 'event';
    add(`RELAY ${relayName(at)}`, `SCHEMA ${schema} UNBRANCHED CAPACITY ${capacity}`);
  }
  for (const name of TWINS) add(`RELAY ${name}`, 'SCHEMA twin UNBRANCHED CAPACITY 1');
  for (const [at, one] of domain.entries.entries()) printEntry(add, at, one);
  for (const [at, one] of domain.nodes.entries()) printNode(add, at, one);
  for (const name of ['failures', 'sums']) {
    const to = `TO seen_${name} INHERIT ALL FLUSH IMMEDIATE ON MESSAGE ERROR LOG`;
    add(`JUNCTION see_${name}`, `FROM ${name} UNBRANCHED ${to}`);
  }
  return made;
}

/** Relays behind those of events, with their schemas: of errors and of sums, and copies of both. */
const SCHEMAS: ReadonlyMap<string, string> = new Map([
  ['failures', 'failure'],
  ['sums', 'sum'],
  ['seen_failures', 'failure'],
  ['seen_sums', 'sum'],
]);

/** Relays of events under the other name of their schema. */
const TWINS = ['t0', 't1'] as const;

type Add = (identity: string, rest: string, mode?: string) => void;

function relayName(at: number): string {
  return [...SCHEMAS.keys()][at - 6] ?? `r${at}`;
}

function onError(hasRoute: boolean): string {
  return hasRoute
    ? 'ON MESSAGE ERROR SEND TO failures SET message = error.message'
    : 'ON MESSAGE ERROR LOG';
}

function printEntry(add: Add, at: number, entry: DrawnEntry): void {
  const { outputs, least, hasErrorRoute, path } = entry;
  const delay = entry.isInMillis ? '1000ms' : '1s';
  const endpoint = `${entry.isElsewhere ? 'f' : 'e'}${at}`;
  add(`ENDPOINT ${endpoint}`, `ON web PATH '/${at}/${path}' TYPE HTTP`);
  const routes = outputs.map(
    (to) => `TO ${relayName(to)} INHERIT ALL UNBRANCHED FLUSH IMMEDIATE ${onError(hasErrorRoute)}`,
  );
  add(
    `INGESTOR i${at}`,
    `FROM ENDPOINT ${endpoint} MODE NO_ACK SEQUENTIAL ON QUIESCE REJECT RETRY AFTER ${delay}
     DECODE USING plain_codec TIMESTAMP NOW FILTER WHERE input.id > ${least} ${routes.join(' ')}
     ON DECODE ERROR LOG ON GENERAL ERROR LOG`,
  );
}

function printNode(add: Add, at: number, drawn: DrawnNode): void {
  const { kind, inputs, outputs, least, field, size } = drawn;
  const names = inputs.map((input) => (drawn.areTwins ? `t${input % 2}` : relayName(input)));
  const relays = [...new Set(names)].join(', ');
  const collect = drawn.collectMs === 0 ? '' : ` COLLECT FOR ${drawn.collectMs}ms`;
  const mode = drawn.isAttached ? '' : 'DETACHED ';
  const error = onError(drawn.hasErrorRoute);
  const flush = drawn.flushMs === 0 ? 'IMMEDIATE' : `EACH ${drawn.flushMs}ms MAX BATCH SIZE 1MiB`;
  const from = `FROM ${relays}${collect} FILTER WHERE input.id > ${least}`;
  const to = outputs
    .map((output) => `TO ${relayName(output)} INHERIT ALL FLUSH ${flush} ${error}`)
    .join(' ');
  switch (kind) {
    case 'junction':
      add(`JUNCTION n${at}`, `${from} UNBRANCHED ${to}`, mode);
      break;
    case 'deduplicator': {
      const keys = `DEDUPLICATE ON input.${field} MAX TIME ${size}h`;
      add(`DEDUPLICATOR n${at}`, `${from} ${keys} UNBRANCHED ${to}`, mode);
      break;
    }
    case 'window': {
      const bounds = `WIDTH ${size} MESSAGES STEP ${size} MESSAGES`;
      const sum = `TO sums SET total = MAX(input.${field}) ${error}`;
      add(`WINDOW PROCESSOR n${at}`, `${from} ${bounds} UNBRANCHED ${sum}`, mode);
      break;
    }
    case 'emitter':
      add(
        `EMITTER n${at}`,
        `FROM ${relays}${collect}
         TO HTTP desk METHOD 'POST' PATH '/${least}' MODE ACK RETRY POLICY BACKOFF 100ms MAX 5s
         ENCODE USING plain_codec SET id = input.${field}, amount = input.id
         FLUSH ${flush} ${error} ON GENERAL ERROR LOG`,
        mode,
      );
  }
}
