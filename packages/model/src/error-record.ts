import type { SchemaField } from './models/schema.js';

/** Steps of a record's way that can fail, as `error.operation` names them. */
export const ERROR_OPERATIONS = [
  'decode',
  'admit',
  'source_where',
  'filter_where',
  'deduplicate',
  'window',
  'inherit',
  'set',
  'finalize',
  'route_where',
  'branch_set',
  'values',
  'invoke',
  'encode',
  'flush',
  'publish',
] as const;
/** What was being done when a record failed. */
export type ErrorOperation = (typeof ERROR_OPERATIONS)[number];

/** What kind of failure a record met. */
export type ErrorCode = 'evaluation' | 'validation' | 'external' | 'internal';

const required = (name: string, type: SchemaField['type']): SchemaField => ({
  name,
  type,
  optional: false,
  sensitive: false,
});

/** Fields of the `error` row of ON MESSAGE ERROR SEND TO. */
export const ERROR_ROW_FIELDS: readonly SchemaField[] = [
  required('reference', 'STRING'),
  required('code', 'STRING'),
  required('message', 'STRING'),
  required('operation', 'STRING'),
  { name: 'operation_index', type: 'U32', optional: true, sensitive: false },
  required('fields', { kind: 'vec', element: 'STRING' }),
  required('occurred_at', 'DATETIME'),
];

/**
 * Fields of the `error` row of ON DECODE ERROR SEND TO, which adds the raw payload.
 *
 * @param payloadSensitive whether the codec's schema has a sensitive field
 */
export function decodeErrorRowFields(payloadSensitive: boolean): readonly SchemaField[] {
  return [
    ...ERROR_ROW_FIELDS,
    { name: 'payload', type: 'BYTES', optional: false, sensitive: payloadSensitive },
  ];
}
