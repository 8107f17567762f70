import { SCHEMA_FIELDS_MAX } from '@nervix/model';
import { expect, test } from 'vitest';
import { type ControlNode, openWithRelay } from '../support/control-node.ts';

const fields = (count: number): string =>
  Array.from({ length: count }, (_, index) => `f${index} I64`).join(', ');
const schemas = (count: number): string =>
  Array.from({ length: count }, (_, index) => `CREATE SCHEMA s${index} (a I64);`).join(' ');

/** Refuses a request, of which nothing may be planned, recorded, begun or logged as a fault. */
async function refuseUntouched(node: ControlNode, query: string) {
  const before = [node.state.revision, node.logLines.length];
  const error = await node.refuse(query);
  expect([node.state.revision, node.logLines.length]).toEqual(before);
  expect(node.state.transactions()).toEqual([]);
  const [diagnostic] = error.diagnostics;
  const place = Buffer.from(query).subarray(diagnostic?.span?.start, diagnostic?.span?.end);
  return { code: error.code, message: error.message, place: place.toString() };
}

test.each([
  ['a schema', 'CREATE SCHEMA wide (', ');', 'I64'],
  ['a wire schema', 'CREATE WIRE JSON SCHEMA wide MODE STRICT (', ');', 'NUMBER'],
  [
    'a schema of a transaction',
    'BEGIN; CREATE SCHEMA ok (a I64); CREATE SCHEMA wide (',
    '); COMMIT;',
    'I64',
  ],
])(
  'CP-133: %s with too many fields is refused at the first of them',
  async (_what, head, tail, type) => {
    const node = await openWithRelay();
    const query = `${head}${fields(SCHEMA_FIELDS_MAX + 2).replaceAll('I64', type)}${tail}`;
    expect(await refuseUntouched(node, query)).toEqual({
      code: 'LIMIT_REACHED',
      message: "schema 'wide' holds 16386 fields, above 16384",
      place: `f16384 ${type}`,
    });
  },
);

test('CP-133: fields that an ALTER adds count as well', async () => {
  const node = await openWithRelay();
  await node.run(`CREATE SCHEMA wide (${fields(SCHEMA_FIELDS_MAX)});`);
  const error = await node.refuse('ALTER SCHEMA wide ADD FIELD more I64;');
  expect(error.message).toContain('schema holds 16385 fields, above 16384');
});

test('CP-42, CP-133: a request with more statements than a transaction takes begins none', async () => {
  const node = await openWithRelay();
  expect(await refuseUntouched(node, `BEGIN; ${schemas(5_000)} COMMIT;`)).toEqual({
    code: 'LIMIT_REACHED',
    message:
      'queued statement limit 256 reached: the request holds 5000 statements for one transaction',
    place: 'CREATE SCHEMA s256 (a I64);',
  });
  const held = await node.run(`BEGIN; ${schemas(3)} COMMIT;`);
  expect(held.transaction?.state).toBe('Committed');
});

test('CP-42, CP-133: nor one with more text than a transaction takes', async () => {
  const node = await openWithRelay({ limits: { transactionMaxSourceBytes: 60 } });
  expect(await refuseUntouched(node, `BEGIN; ${schemas(3)} COMMIT;`)).toEqual({
    code: 'LIMIT_REACHED',
    message:
      'queued source byte limit 60 exceeded by the statements that the request holds for one ' +
      'transaction',
    place: 'CREATE SCHEMA s2 (a I64);',
  });
});

test('CP-133: a statement that no write can hold is refused by the bytes of its text', async () => {
  const node = await openWithRelay();
  const query = `CREATE SCHEMA x (// ${'x'.repeat(1_835_008)}\na I64);`;
  const { place, ...refusal } = await refuseUntouched(node, query);
  expect(refusal).toEqual({
    code: 'LIMIT_REACHED',
    message: `the statement holds ${query.length} bytes, above 1835008`,
  });
  expect(place).toBe(query);
});

test('CP-133: and one whose models no write can hold when it is planned', async () => {
  const node = await openWithRelay();
  const long = 'n'.repeat(15);
  const wide = Array.from(
    { length: 16_000 },
    (_, index) => `${long}${index} VEC<VEC<VEC<VEC<I64>>>>`,
  ).join(', ');
  for (const before of ['', 'BEGIN; ']) {
    const error = await node.refuse(`${before}CREATE SCHEMA x (${wide});`);
    expect([error.code, error.message]).toEqual([
      'LIMIT_REACHED',
      expect.stringMatching(/ holds [0-9]{7} bytes of models, above 1835008$/),
    ]);
  }
  expect(node.logLines.filter((line) => line.includes('error'))).toEqual([]);
});

test('CP-133: nesting that nothing reads is refused before the transaction is begun', async () => {
  const node = await openWithRelay();
  const type = `${'VEC<'.repeat(300)}I64${'>'.repeat(300)}`;
  const error = await node.refuse(`BEGIN; CREATE SCHEMA x (a ${type});`);
  expect(error.message).toContain('nesting exceeds');
  expect(node.state.transactions()).toEqual([]);
});
