import type { BinaryOperator, Expression, ScalarType } from '@nervix/model';
import {
  between,
  binary,
  call,
  caseOf,
  cast,
  distinct,
  field,
  neg,
  not,
  text,
  tryCast,
} from './expressions.js';
import { ELEMENTS, SIGNATURE_ROWS, TYPE_COLUMNS, TYPE_SETS } from './signature-rows.js';

/** A column of a generated expression, and the types that could stand in its place. */
export interface Leaf {
  readonly type: string;
  readonly allowed: ReadonlySet<string>;
}

/** An expression with what it has to be typed as. */
export interface Generated {
  readonly type: string;
  readonly optional: boolean;
  readonly sensitive: boolean;
  readonly leaves: readonly Leaf[];
  /** Builds it; the leaf of the index gets another type. */
  readonly build: (mutated?: { readonly leaf: number; readonly type: string }) => Expression;
}

/** Chance from a seed (mulberry32). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  below(count: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('there is nothing to pick');
    return item;
  }
}

const setOf = (letter: string): ReadonlySet<string> => new Set(TYPE_SETS[letter]);
const TYPES = Object.keys(TYPE_COLUMNS);
const SCALARS = [...setOf('k')];
const CAST_SOURCES = new Set(SCALARS.filter((type) => type !== 'BYTES'));

type Combine = (parts: readonly Expression[]) => Expression;
type Optional = (parts: readonly Generated[]) => boolean;

const anyOptional: Optional = (parts) => parts.some((part) => part.optional);

function node(
  type: string,
  parts: readonly Generated[],
  combine: Combine,
  optional: Optional = anyOptional,
): Generated {
  return {
    type,
    optional: optional(parts),
    sensitive: parts.some((part) => part.sensitive),
    leaves: parts.flatMap((part) => part.leaves),
    build(mutated) {
      let first = 0;
      const built = parts.map((part) => {
        const leaf = mutated === undefined ? -1 : mutated.leaf - first;
        first += part.leaves.length;
        const isInside = leaf >= 0 && leaf < part.leaves.length;
        return mutated !== undefined && isInside ? part.build({ ...mutated, leaf }) : part.build();
      });
      return combine(built);
    },
  };
}

function leafOf(chance: Chance, type: string, allowed: ReadonlySet<string>): Generated {
  const prefix = chance.pick(['', '', 'opt_', 'sec_']);
  return {
    type,
    optional: prefix === 'opt_',
    sensitive: prefix === 'sec_',
    leaves: [{ type, allowed }],
    build: (mutated) => field(prefix + TYPE_COLUMNS[mutated?.type ?? type]),
  };
}

type Maker = (
  chance: Chance,
  depth: number,
  type: string,
  allowed: ReadonlySet<string>,
) => Generated | undefined;

/** Exactly the one type: its neighbours or its place leave no choice. */
const only = (type: string): ReadonlySet<string> => new Set([type]);

function free(chance: Chance, depth: number, set: ReadonlySet<string>): Generated {
  const type = chance.pick([...set].filter((each) => each in TYPE_COLUMNS));
  return generate(chance, depth, type, set);
}

/** Types that both sets have. */
function both(left: ReadonlySet<string>, right: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...left].filter((type) => right.has(type)));
}

const MAKERS: readonly Maker[] = [
  (chance, depth, type) => {
    if (!setOf('n').has(type)) return undefined;
    const operator = chance.pick<BinaryOperator>(['add', 'sub', 'mul', 'div', 'rem']);
    const parts = [
      generate(chance, depth, type, only(type)),
      generate(chance, depth, type, only(type)),
    ];
    return node(type, parts, ([left, right]) => binary(left!, operator, right!));
  },
  (chance, depth, type, allowed) => {
    if (!setOf('g').has(type)) return undefined;
    const part = generate(chance, depth, type, both(allowed, setOf('g')));
    return node(type, [part], ([operand]) => neg(operand!));
  },
  (chance, depth, type) => {
    if (type !== 'BOOL') return undefined;
    const part = generate(chance, depth, type, only(type));
    return node(type, [part], ([operand]) => not(operand!));
  },
  (chance, depth, type) => {
    if (type !== 'BOOL') return undefined;
    const [set, operators] = chance.pick<readonly [string, readonly BinaryOperator[]]>([
      ['k', ['eq', 'not_eq']],
      ['o', ['lt', 'gt', 'lt_eq', 'gt_eq']],
      ['b', ['and', 'or']],
    ]);
    const operand = chance.pick([...setOf(set)]);
    const parts = [0, 1].map(() => generate(chance, depth, operand, only(operand)));
    const operator = chance.pick(operators);
    return node(type, parts, ([left, right]) => binary(left!, operator, right!));
  },
  (chance, depth, type) => {
    if (type !== 'BOOL') return undefined;
    const operand = chance.pick([...setOf('o')]);
    const parts = [0, 1, 2].map(() => generate(chance, depth, operand, only(operand)));
    return node(type, parts, ([value, low, high]) => between(value!, low!, high!));
  },
  (chance, depth, type) => {
    if (type !== 'BOOL') return undefined;
    const operand = chance.pick(SCALARS);
    const parts = [0, 1].map(() => generate(chance, depth, operand, only(operand)));
    return node(
      type,
      parts,
      ([left, right]) => distinct(left!, right!),
      () => false,
    );
  },
  (chance, depth, type) => {
    if (!SCALARS.includes(type)) return undefined;
    const sources = type === 'BYTES' ? only('BYTES') : CAST_SOURCES;
    const isTry = chance.below(2) === 0;
    const convert = isTry ? tryCast : cast;
    return node(
      type,
      [free(chance, depth, sources)],
      ([operand]) => convert(operand!, type as ScalarType),
      ([operand]) => isTry || operand?.optional === true,
    );
  },
  (chance, depth, type) => {
    if (!SCALARS.includes(type)) return undefined;
    const condition = generate(chance, depth, 'BOOL', only('BOOL'));
    const results = [0, 1].map(() => generate(chance, depth, type, only(type)));
    return node(
      type,
      [condition, ...results],
      ([when, then, otherwise]) => caseOf([[when!, then!]], otherwise!),
      ([, ...parts]) => anyOptional(parts),
    );
  },
  callTo,
];

interface CallRow {
  readonly name: string;
  readonly args: readonly (readonly [literal: string | undefined, mark: string, set: string])[];
  readonly result: string;
  readonly nullability: string;
}

const ROWS: readonly CallRow[] = SIGNATURE_ROWS.map((line) => {
  const [, name = '', written = '', result = '', nullability = ''] =
    /^6\.\d (\w+)(.*) -> ([^?!&]+?)(?: ([?!&]))?$/u.exec(line) ?? [];
  const args = [...written.matchAll(/'([^']*)'|(?:([TL]):)?(\w)/gu)].map(
    ([, literal, mark = '', set = '']) => [literal, mark, set] as const,
  );
  return { name, args, result, nullability };
});

/** Calls a function whose result can be of the type. */
function callTo(
  chance: Chance,
  depth: number,
  type: string,
  allowed: ReadonlySet<string>,
): Generated | undefined {
  const element = type.startsWith('VEC<') ? ELEMENTS[type] : undefined;
  const row = chance.pick(ROWS);
  const shared = row.result === 'T' ? type : row.result === 'VEC<T>' ? element : undefined;
  if (shared === undefined && row.result !== type) return undefined;
  const sharing = row.args.filter(([, mark]) => mark !== '').length;
  const bound = shared ?? sharedOf(chance, row);
  const parts: Generated[] = [];
  for (const [literal, mark, set] of row.args) {
    if (literal !== undefined) continue;
    const part = argument(chance, depth, { mark, set, bound, sharing, row, allowed });
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return node(type, parts, callWith(row), optionalOf(row));
}

/** A type for arguments that share one which the result does not tell. */
function sharedOf(chance: Chance, { args }: CallRow): string {
  const set = args.find(([, mark]) => mark !== '')?.[2] ?? 'a';
  return chance.pick([...setOf(set)]);
}

interface Place {
  readonly mark: string;
  readonly set: string;
  readonly bound: string;
  readonly sharing: number;
  readonly row: CallRow;
  readonly allowed: ReadonlySet<string>;
}

function argument(chance: Chance, depth: number, place: Place): Generated | undefined {
  const { mark, set, bound, sharing, row, allowed } = place;
  if (mark === '') return free(chance, depth, setOf(set));
  if (!setOf(set).has(bound)) return undefined;
  if (mark === 'T') {
    if (!(bound in TYPE_COLUMNS)) return undefined;
    const others = sharing > 1 || row.result !== 'T' ? only(bound) : both(allowed, setOf(set));
    return generate(chance, depth, bound, others);
  }
  const lists = TYPES.filter((type) => ELEMENTS[type] === bound);
  if (lists.length === 0) return undefined;
  // A list of the same elements fits as well, in either container.
  const isFree = sharing === 1 && !row.result.includes('T');
  const fitting = isFree ? TYPES.filter((type) => setOf(set).has(ELEMENTS[type] ?? '')) : lists;
  const wider =
    row.result === 'T' && sharing === 1
      ? TYPES.filter((type) => allowed.has(ELEMENTS[type] ?? ''))
      : [];
  return generate(chance, depth, chance.pick(lists), new Set([...fitting, ...wider]));
}

function callWith({ name, args }: CallRow): Combine {
  return (parts) => {
    const rest = parts.values();
    return call(
      name,
      ...args.map(([literal]) => (literal === undefined ? rest.next().value! : text(literal))),
    );
  };
}

function optionalOf({ nullability }: CallRow): Optional {
  if (nullability === '?') return () => true;
  if (nullability === '!') return () => false;
  return nullability === '&' ? (parts) => parts.every((part) => part.optional) : anyOptional;
}

/**
 * An expression of a type by the rules of chapters 3, 4 and 6.
 *
 * @param allowed the types that could stand in its place
 */
export function generate(
  chance: Chance,
  depth: number,
  type: string,
  allowed: ReadonlySet<string>,
): Generated {
  for (let attempt = 0; depth > 0 && attempt < 8; attempt += 1) {
    const made = chance.pick(MAKERS)(chance, depth - 1, type, allowed);
    if (made !== undefined) return made;
  }
  return leafOf(chance, type, allowed);
}
