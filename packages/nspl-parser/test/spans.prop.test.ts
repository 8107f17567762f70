import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { ByteOffsets, parseScript } from '../src/index.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 900 }),
  fc.string({
    unit: fc.constantFrom('a', 'é', '€', '😀', '\n', '\ud83d', '\ude00'),
    maxLength: 900,
  }),
  fc.string({ unit: fc.constantFrom('a', ';'), maxLength: 40 }),
);

test.prop([text])('byte offsets are those of UTF-8, and lead back', (source) => {
  const offsets = new ByteOffsets(source);
  const encoder = new TextEncoder();
  let bytes = 0;
  let index = 0;
  for (const character of source) {
    const length = encoder.encode(character).length;
    expect(offsets.at(index)).toBe(bytes);
    for (let inside = 0; inside < length; inside += 1) {
      expect(offsets.codeUnitAt(bytes + inside)).toBe(index);
    }
    bytes += length;
    index += character.length;
  }
  expect(offsets.at(index)).toBe(bytes);
  expect(offsets.codeUnitAt(bytes)).toBe(index);
  expect(offsets.codeUnitAt(bytes + 7)).toBe(index);
});

test.prop([text, text])(
  'spans of nodes are places of the text around the statement',
  (head, tail) => {
    const comment = (part: string) => `//${part.replaceAll('\n', ' ')}\n`;
    const written = "TRY_CAST('é😀' AS I64)";
    const statement = `CREATE SUBSCRIPTION s TO r WHERE '€' = ${written}; `;
    const source = comment(head) + statement + statement + comment(tail);
    const { statements, errors } = parseScript(source);
    expect(errors).toEqual([]);
    const bytes = Buffer.from(source);
    const places = statements.map(({ statement: read, spans }) => {
      const where = read.kind === 'create_subscription' ? read.where : null;
      const { start, end } = spans.spanOf(where?.kind === 'binary' ? where.right : {})!;
      return bytes.toString('utf8', start, end);
    });
    expect(places).toEqual([written, written]);
  },
);
