import { createHash } from 'node:crypto';
import type { UdfPlan } from '@nervix/model';
import { createInProcessDataPlane } from '@nervix/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ControlNode, openWithRelay } from '../support/control-node.ts';

const CODE = 'function twice(x) { return x * 2n; } test("doubles", () => twice(2n) === 4n);';
const twice = (code = CODE) =>
  `CREATE UDF twice WITH ECMASCRIPT_2023 ARGS (x I64) RETURNS I64 CODE $js$${code}$js$;`;
const ROTO = 'CREATE UDF old WITH ROTO_0_13 ARGS (x I64 OPTIONAL) RETURNS I64 VOLATILE CODE $$?$$;';
const JUNCTION =
  'CREATE RELAY q SCHEMA s UNBRANCHED; CREATE JUNCTION j FROM r UNBRANCHED TO q INHERIT ALL ' +
  'SET id = udf::twice(input.id) FLUSH IMMEDIATE ON MESSAGE ERROR LOG;';
const inTransaction = (text: string) => `BEGIN; ${text} COMMIT;`;

/** A node that says of each UDF what an engine says. */
async function openNode(prepare: (udf: UdfPlan) => string | undefined = () => undefined) {
  const node = await openWithRelay();
  node.dataPlane.onPrepareUdf = prepare;
  return node;
}

const prepared = (node: ControlNode) => node.dataPlane.preparedUdfs.map(({ code }) => code);

describe('CREATE UDF (TYPE 8, CP-31)', () => {
  test('code is loaded and tested before anything is stored, once for each that differs', async () => {
    const node = await openNode();
    await node.run(inTransaction(`${twice()} ${JUNCTION}`));
    expect(prepared(node)).toEqual([CODE]);
    expect(await node.text('SHOW CREATE UDF twice;')).toContain(`CODE $js$${CODE}$js$;`);
    await node.run('START;');
    expect(node.dataPlane.plans.get('d')?.udfs.map(({ name }) => name)).toEqual(['twice']);
  });

  test('CP-57: code that cannot be used is refused, and nothing is stored', async () => {
    const node = await openNode(
      ({ name }) => `invalid UDF '${name}': ECMAScript test block failed: x`,
    );
    const alone = await node.refuse(twice());
    expect([alone.code, alone.message]).toEqual([
      'INVALID_MODEL',
      "invalid UDF 'twice': ECMAScript test block failed: x",
    ]);
    const listed = await node.refuse(
      inTransaction(`CREATE RELAY z SCHEMA s UNBRANCHED; ${twice()}`),
    );
    expect(listed.message).toContain(
      'transaction operation 2 failed UDF preparation: ' +
        "invalid UDF 'twice': ECMAScript test block failed: x",
    );
    expect(await node.text('SHOW UDFS;')).toBe('(none)');
  });

  test('CP-32: a UDF that is called cannot be dropped by itself', async () => {
    const node = await openNode();
    await node.run(inTransaction(`${twice()} ${JUNCTION}`));
    expect((await node.refuse('DROP UDF twice;')).message).toContain(
      "referenced UDF 'udf::twice' does not exist",
    );
    await node.run(inTransaction('DROP UDF twice; DROP JUNCTION j;'));
    expect(await node.text('SHOW UDFS;')).toBe('(none)');
  });

  test('a call that no longer fits another declaration is refused', async () => {
    const node = await openNode();
    await node.run(inTransaction(`${twice()} ${JUNCTION}`));
    const other = 'CREATE UDF twice WITH ECMASCRIPT_2023 ARGS (x STRING) RETURNS I64 CODE $$x$$;';
    const error = await node.refuse(inTransaction(`DROP UDF twice; ${other}`));
    expect(error.message).toContain("UDF 'twice' argument 1 requires Utf8, found Int64");
  });

  test('Roto is stored, and what calls it is refused', async () => {
    const node = await openNode();
    await node.run(ROTO);
    expect(prepared(node)).toEqual([]);
    const call = JUNCTION.replace('udf::twice', 'udf::old');
    expect((await node.refuse(inTransaction(call))).message).toContain(
      'calls of UDFs in ROTO_0_13 are not supported by this release',
    );
  });
});

describe('reads of UDFs', () => {
  test('TX-34: SHOW UDFS lists names in order', async () => {
    const node = await openNode();
    await node.run(inTransaction(`${twice()} ${ROTO}`));
    expect(await node.text('SHOW UDFS;')).toBe('old\ntwice');
  });

  test('TX-23: DESCRIBE UDF tells the declaration, a digest and who calls it', async () => {
    const node = await openNode();
    await node.run(inTransaction(`${twice()} ${ROTO} ${JUNCTION}`));
    const digest = (code: string) => createHash('sha256').update(code).digest('hex');
    expect(await node.text('DESCRIBE UDF twice;')).toBe(
      [
        'name: twice',
        'language: ECMASCRIPT_2023',
        'signature: (x I64) -> I64',
        'volatile: false',
        `code_hash: ${digest(CODE)}`,
        'referencing_nodes: j',
      ].join('\n'),
    );
    expect(await node.text('DESCRIBE UDF old;')).toBe(
      [
        'name: old',
        'language: ROTO_0_13',
        'signature: (x I64 OPTIONAL) -> I64',
        'volatile: true',
        `code_hash: ${digest('?')}`,
        'referencing_nodes: (none)',
      ].join('\n'),
    );
    expect((await node.refuse('DESCRIBE UDF none;')).code).toBe('NOT_FOUND');
  });
});

describe('an engine prepares what the control plane sends it', () => {
  let plane: Awaited<ReturnType<typeof createInProcessDataPlane>>;
  beforeAll(async () => {
    plane = await createInProcessDataPlane({ http: { host: '127.0.0.1', port: 0 } });
  });
  afterAll(() => plane.close());

  test.each([
    [CODE, undefined],
    ['function other(x) {}', "no function 'twice' is declared"],
    [`${CODE} test("never", () => false);`, 'ECMAScript test block failed: never'],
  ])('%s', async (code, problem) => {
    const node = await openWithRelay();
    const answers: (string | undefined)[] = [];
    node.dataPlane.prepareUdfs = async (udfs) => {
      answers.push(await plane.prepareUdfs(udfs));
      return answers.at(-1);
    };
    if (problem === undefined) await node.run(twice(code));
    else expect((await node.refuse(twice(code))).message).toContain(problem);
    expect(answers).toHaveLength(1);
  });
});
