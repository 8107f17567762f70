import type { SchemaPlan } from '@nervix/model';
import { BatchBuilder } from '../batch/batch-builder.js';
import { compileJsonDecoder } from '../codec/json-decoder.js';
import { type BranchKey, BranchKeys } from './branch-key.js';

/** Values of a branch's key fields by name; numbers are decimal text, instants RFC 3339. */
export type BranchLiterals = Readonly<Record<string, string | boolean>>;

const WIRE_TYPE = { BOOL: 'BOOLEAN', STRING: 'STRING', DATETIME: 'STRING' } as const;

/**
 * The branch key that literals spell.
 *
 * @returns undefined when a value does not fit its field, so that no such key can exist
 */
export function branchKeyOf(
  branch: string,
  schema: SchemaPlan,
  literals: BranchLiterals,
): BranchKey | undefined {
  const fields = schema.fields.map(({ name, type }) => ({
    name,
    wire:
      type === 'F32' || type === 'F64'
        ? ('NUMBER' as const)
        : typeof type === 'string' && type in WIRE_TYPE
          ? WIRE_TYPE[type as keyof typeof WIRE_TYPE]
          : ('INTEGER' as const),
    rfc3339: type === 'DATETIME',
  }));
  const codec = {
    name: branch,
    format: 'JSON',
    schema: schema.name,
    strict: true,
    fields,
  } as const;
  const members = fields.map(({ name, wire }) => {
    const value = literals[name];
    const isText = wire === 'STRING' || value === undefined;
    return `${JSON.stringify(name)}:${isText ? JSON.stringify(value ?? null) : value}`;
  });
  const payload = new TextEncoder().encode(`{${members.join(',')}}`);
  const builder = new BatchBuilder(schema);
  const failure = compileJsonDecoder(codec, schema).decode(payload, 0, payload.length, builder);
  if (failure !== undefined) return undefined;
  return new BranchKeys(branch, schema).group(builder.finish())[0]?.key;
}
