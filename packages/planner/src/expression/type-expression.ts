import {
  type Expression,
  NO_SPANS,
  type RowSource,
  type SchemaField,
  type SpanLookup,
  TYPED_PROGRAM_VERSION,
  type TypedAggregate,
  type TypedProgram,
  type UdfModel,
} from '@nervix/model';
import { checkExpression } from './check-expression.js';
import { isUntyped, placementDefect } from './checked.js';
import { EXPRESSION_CONTEXTS, type ExpressionContext } from './expression-context.js';
import { type ExpressionFaults, refusedFor } from './expression-fault.js';
import { fieldTable } from './field-table.js';
import type { ExpressionScope } from './scope.js';

/** An expression, where it stands, and what may be read there. */
export interface TypeExpressionInput {
  readonly expression: Expression;
  readonly context: ExpressionContext;
  /** Fields of the rows by their scope; bare names read what the context says. */
  readonly rows: Readonly<Partial<Record<RowSource, readonly SchemaField[]>>>;
  /** Fields of the record under construction that have a value already. */
  readonly assigned?: Iterable<string>;
  /** Fields of the materialized relays that may be read, by relay. */
  readonly states?: Readonly<Record<string, readonly SchemaField[]>>;
  readonly udfs?: readonly UdfModel[];
  /** Fields of the entries of hash maps, by map. */
  readonly hashMaps?: Readonly<Record<string, readonly SchemaField[]>>;
  /** Source ranges, copied into the program. */
  readonly spans?: SpanLookup;
}

export type TypeExpressionOutcome =
  | { readonly kind: 'typed'; readonly program: TypedProgram }
  | { readonly kind: 'refused'; readonly faults: ExpressionFaults };

/**
 * Types one expression alone, without a domain, as far as the language has it: whether an engine can
 * run the program is the engine's to say.
 */
export function typeExpression(input: TypeExpressionInput): TypeExpressionOutcome {
  if (!Object.hasOwn(EXPRESSION_CONTEXTS, input.context)) {
    const known = Object.keys(EXPRESSION_CONTEXTS).sort().join(', ');
    return refusedFor(`unknown context '${input.context}'; there are ${known}`, input.expression);
  }
  const aggregates: TypedAggregate[] = [];
  const reads = new Set<string>();
  const outcome = checkExpression(input.expression, scopeOf(input, aggregates), reads);
  if (outcome.kind === 'refused') return outcome;
  const { value } = outcome;
  if (isUntyped(value)) return refusedFor(placementDefect(value), input.expression);
  return {
    kind: 'typed',
    program: {
      version: TYPED_PROGRAM_VERSION,
      expression: value,
      aggregates,
      reads: [...reads].sort(),
    },
  };
}

function scopeOf(input: TypeExpressionInput, aggregates: TypedAggregate[]): ExpressionScope {
  const { udfs = [], hashMaps = {}, states = {}, spans = NO_SPANS } = input;
  const rows = Object.entries(input.rows).map(([row, fields]) => [row, fieldTable(fields)]);
  return {
    policy: EXPRESSION_CONTEXTS[input.context],
    rows: Object.fromEntries(rows),
    states: new Map(Object.entries(states).map(([relay, fields]) => [relay, fieldTable(fields)])),
    assigned: new Set(input.assigned ?? []),
    aggregates,
    headerless: null,
    surroundings: {
      spans,
      udf: (name) => udfs.find((udf) => udf.name === name),
      hashMap: (name) => {
        const fields = Object.hasOwn(hashMaps, name) ? hashMaps[name] : undefined;
        return fields === undefined ? undefined : fieldTable(fields);
      },
    },
  };
}
