import {
  type AlterModelStatement,
  type DataType,
  printClockDuration,
  printDataType,
  statementWords,
} from '@nervix/model';
import { printExpression } from '../expression.js';
import { printSchemaField } from '../models/schema.js';
import { printBatch, printCommit, printSink, printSinkMode } from '../models/sink.js';
import { printQuiesce, printSource } from '../models/source.js';
import { printWireField } from '../models/wire-schema.js';
import {
  printBranching,
  printCollect,
  printDependencyPolicy,
  printFlush,
  printInput,
  printPolicy,
  printRoute,
} from '../route.js';

type Operation = AlterModelStatement['operations'][number];
type OperationName = Operation['op'];

/** Prints each of some operations. */
type Printers<Name extends OperationName> = {
  readonly [N in Name]: (operation: Extract<Operation, { readonly op: N }>) => string;
};

/** `ALTER kind name operation, …;` on one line. */
export function printAlter({ modelKind, name, operations }: AlterModelStatement): string {
  const list = operations.map(printOperation).join(', ');
  return `ALTER ${statementWords(modelKind)} ${name} ${list};`;
}

function printOperation(operation: Operation): string {
  // Each printer is given the operation that it is named after.
  const print = PRINTERS[operation.op] as (operation: Operation) => string;
  return print(operation);
}

/** Operations on what a node reads. */
const INPUT_PRINTERS = {
  add_input: ({ input }) => `ADD FROM ${printInput(input)}`,
  drop_input: ({ relay }) => `DROP FROM ${relay}`,
  alter_input: ({ relay, where }) =>
    `ALTER FROM ${relay} ${where === null ? 'DROP WHERE' : `SET WHERE ${printExpression(where)}`}`,
  set_collect: ({ collect }) => `SET ${printCollect(collect)}`,
  drop_collect: () => 'DROP COLLECT',
  set_filter: ({ filter }) => `SET FILTER WHERE ${printExpression(filter)}`,
  drop_filter: () => 'DROP FILTER WHERE',
  set_acknowledgement: ({ acknowledgement }) => `SET ${acknowledgement}`,
  add_dependency: ({ dependency: { relay, policy } }) =>
    `ADD MATERIALIZED STATE ${relay} ${printDependencyPolicy(policy)}`,
  drop_dependency: ({ relay }) => `DROP MATERIALIZED STATE ${relay}`,
  alter_dependency: ({ relay, policy }) =>
    `ALTER MATERIALIZED STATE ${relay} SET ${printDependencyPolicy(policy)}`,
  set_source: ({ source }) => `SET FROM ${printSource(source)}`,
  set_quiesce: ({ quiesce }) => `SET QUIESCE ${printQuiesce(quiesce)}`,
  set_decode_using: ({ codec }) => `SET DECODE USING ${codec}`,
  set_timestamp: ({ timestamp }) =>
    `SET TIMESTAMP ${timestamp.kind === 'now' ? 'NOW' : `AT ${timestamp.field}`}`,
  drop_timestamp: () => 'DROP TIMESTAMP',
  set_decode_error: ({ policy }) => `SET DECODE ERROR ${printPolicy(policy)}`,
  drop_decode_error: () => 'DROP DECODE ERROR',
  set_general_error: ({ policy }) => `SET GENERAL ERROR ${policy}`,
  set_state: ({ relay }) => `SET MATERIALIZED STATE ${relay}`,
  set_each: ({ eachNanos }) => `SET EACH ${printClockDuration(BigInt(eachNanos))}`,
} satisfies Partial<Printers<OperationName>>;

/** Operations on what a node makes of it and where that goes. */
const OUTPUT_PRINTERS = {
  set_deduplicate_on: ({ keys }) => `SET DEDUPLICATE ON ${keys.map(printExpression).join(', ')}`,
  set_by: ({ keys }) => `SET BY ${keys.map(printExpression).join(', ')}`,
  set_max_time: ({ maxTime }) => `SET MAX TIME ${maxTime}`,
  set_branching: ({ branching }) => `SET ${printBranching(branching)}`,
  add_route: ({ route }) => `ADD ROUTE ${printRoute(route)}`,
  replace_route: ({ route }) => `REPLACE ROUTE ${printRoute(route)}`,
  drop_route: ({ relay }) => `DROP ROUTE TO ${relay}`,
  set_sink: ({ sink, body }) => {
    const head = `SET TO ${printSink(sink)}`;
    if (body.kind === 'kept') return head;
    return `${head} ${body.kind === 'encode' ? `ENCODE USING ${body.codec}` : 'WITHOUT BODY'}`;
  },
  set_client: ({ client }) => `SET CLIENT ${client}`,
  set_encode_using: ({ codec }) => `SET ENCODE USING ${codec}`,
  drop_encode: () => 'DROP ENCODE',
  set_batch: ({ batch }) => `SET ${printBatch(batch)}`,
  drop_batch: () => 'DROP BATCH',
  set_flush: ({ flush }) => `SET ${printFlush(flush)}`,
  set_commit: ({ commit }) => `SET ${printCommit(commit)}`,
} satisfies Partial<Printers<OperationName>>;

/** Operations on relays, placements and schemas. */
const DEFINITION_PRINTERS = {
  set_capacity: ({ capacity }) => `SET CAPACITY ${capacity}`,
  set_schema: ({ schema }) => `SET SCHEMA ${schema}`,
  set_materialized_state: () => 'SET MATERIALIZED STATE LAST BY TIMESTAMP',
  drop_materialized_state: () => 'DROP MATERIALIZED STATE',
  set_policy: ({ policy }) => `SET POLICY ${policy}`,
  set_rank: ({ rank }) => `SET RANK ${rank}`,
  drop_rank: () => 'DROP RANK',
  set_ends: ({ from, to }) => `SET FROM ${from.join(', ')} TO ${to.join(', ')}`,
  rename: ({ name }) => `RENAME TO ${name}`,
  // Of an emitter or of a wire schema.
  set_mode: ({ mode }) =>
    typeof mode === 'string' ? `MODE ${mode}` : `SET MODE ${printSinkMode(mode)}`,
  add_field: ({ field }) =>
    `ADD FIELD ${'sensitive' in field ? printSchemaField(field) : printWireField(field)}`,
  drop_field: ({ field }) => `DROP FIELD ${field}`,
  rename_field: ({ field, name }) => `RENAME FIELD ${field} TO ${name}`,
  set_field_type: ({ field, type }) => `ALTER FIELD ${field} SET TYPE ${printFieldType(type)}`,
  set_field_optional: ({ field, optional }) =>
    `ALTER FIELD ${field} ${optional ? 'SET' : 'DROP'} OPTIONAL`,
  set_field_sensitive: ({ field, sensitive }) =>
    `ALTER FIELD ${field} ${sensitive ? 'SET' : 'DROP'} SENSITIVE`,
} satisfies Partial<Printers<OperationName>>;

const PRINTERS: Printers<OperationName> = {
  ...INPUT_PRINTERS,
  ...OUTPUT_PRINTERS,
  ...DEFINITION_PRINTERS,
};

/** A type of a schema or, by its name, of a wire schema. */
function printFieldType<Wire extends string>(type: DataType | Wire): string {
  return typeof type === 'string' ? type : printDataType(type);
}
