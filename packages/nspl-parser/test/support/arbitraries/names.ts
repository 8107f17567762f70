import type { DataType } from '@nervix/model';
import { SCALAR_TYPES } from '@nervix/model';
import fc from 'fast-check';
import { KEYWORDS } from '../../../src/keywords.ts';

/** Statement-level names, keywords among them. */
export const name: fc.Arbitrary<string> = fc.oneof(
  fc.stringMatching(/^[a-z_][a-z0-9_]{0,8}$/),
  fc.constantFrom(...KEYWORDS.map((word) => word.toLowerCase())),
);
export const relayName: fc.Arbitrary<string> = name.filter(
  (text) => text !== 'message' && text !== 'branch',
);
/** Names that expressions may hold, those that need backticks among them. */
export const fieldName = fc.oneof(name, fc.stringMatching(/^[a-z0-9_~.-]{1,8}$/));
export const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: fc.constantFrom("'", '"', '$', 's', '_', '1', '\n', '\r', 'é', '😀', '\\') }),
);
export const duration = fc.constantFrom('1s', '250ms', '1h30m', '1.5s', '0s', '3min', '2M', 'soon');
export const byteSize = fc.constantFrom('64KiB', '1MB', '10b', '1.5gb', '0B');
export const u64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }).map(String);
export const positive = fc.bigInt({ min: 1n, max: (1n << 64n) - 1n }).map(String);
export const scalar = fc.constantFrom(...SCALAR_TYPES);

export const dataType: fc.Arbitrary<DataType> = fc.letrec<{ type: DataType }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'type' },
    scalar,
    fc.record({ kind: fc.constant('vec' as const), element: tie('type') }),
    fc.record({
      kind: fc.constant('array' as const),
      element: tie('type'),
      length: fc.integer({ min: 1, max: 2147483647 }),
    }),
  ),
})).type;
export const nanos = fc.bigInt({ min: 1n, max: (1n << 64n) - 1n }).map(String);
