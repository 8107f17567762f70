import type { SchemaPlan } from '@nervix/model';
import { BatchBuilder } from '../batch/batch-builder.js';
import { compileJsonDecoder } from '../codec/json/json-decoder.js';
import { type BranchKey, BranchKeys } from './branch-key.js';

/** Values of a branch's key fields by name; numbers are decimal text, instants RFC 3339. */
export type BranchLiterals = Readonly<Record<string, string | boolean>>;

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
  const codec = { name: branch, format: 'JSON', schema: schema.name, strict: true } as const;
  const members = schema.fields.map(({ name, type }) => {
    const value = literals[name];
    const isText = type === 'STRING' || type === 'DATETIME' || value === undefined;
    return `${JSON.stringify(name)}:${isText ? JSON.stringify(value ?? null) : value}`;
  });
  const payload = new TextEncoder().encode(`{${members.join(',')}}`);
  const builder = new BatchBuilder(schema);
  const failure = compileJsonDecoder(codec, schema).decode(payload, 0, payload.length, builder);
  if (failure !== undefined) return undefined;
  return new BranchKeys(branch, schema).group(builder.finish())[0]?.key;
}
