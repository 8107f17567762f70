import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseStatement } from '@nervix/nspl-parser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runNervix } from '../support/run-nervix.js';

const BASE = `CREATE DOMAIN shop;
BEGIN;
CREATE SCHEMA sale (id I64, total F64);
CREATE RELAY sales SCHEMA sale UNBRANCHED;
CREATE RELAY big_sales SCHEMA sale UNBRANCHED;
CREATE JUNCTION split FROM sales UNBRANCHED
  TO big_sales INHERIT ALL WHERE input.total > 100.0 FLUSH IMMEDIATE ON MESSAGE ERROR LOG;
START;
COMMIT;
`;
const NEW = `ALTER RELAY sales SET CAPACITY 16;
ALTER JUNCTION split SET DETACHED;
`;
let folder = '';
const file = (name: string, text: string): string => {
  const place = path.join(folder, name);
  writeFileSync(place, text);
  return place;
};

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'nervix-plan-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('nervix plan', () => {
  test('prints the impact of statements on the domain that a script makes, without a server', async () => {
    const base = file('base.nspl', BASE);
    const { code, stdout, stderr } = await runNervix(['plan', '--file', '-', '--against', base], {
      stdin: NEW,
    });
    expect(stderr).toBe("warning: relay 'big_sales' is produced and never consumed\n");
    expect(code).toBe(0);
    const lines = stdout.split('\n');
    expect(lines.slice(0, 3)).toEqual(['domain: shop', 'state: PLANNED', 'report: COMPLETE']);
    expect(lines).toContain('quiesce level: ENTITY_PAUSE');
    expect(lines).toContain('  gate relay=sales branches=UNBRANCHED operations=2');
    expect(lines).toContain('  reason: CONFIGURATION kind=relay name=sales aspect=RELAY_CAPACITY');
  });

  test.each([
    [{ models: [{ kind: 'schema' }] }, 'models[0] is no model'],
    [{ schedule: [{ kind: 'relay', name: 'r' }] }, 'schedule[0] is no assignment'],
    [{ schedule: [null] }, 'schedule[0] is no assignment'],
    [{ nodes: [{}] }, 'nodes[0] has no name'],
  ])('refuses a snapshot with %j by its place', async (part, reason) => {
    const state = file('broken.json', JSON.stringify({ version: 1, domain: 'shop', ...part }));
    const { code, stderr } = await runNervix(['plan', '--file', '-', '--against', state], {
      stdin: 'CREATE SCHEMA s (id I64)',
    });
    expect(stderr).toContain(`is no planning snapshot: ${reason}`);
    expect(code).toBe(5);
  });

  test('takes a snapshot whose models hold secrets, and prints none', async () => {
    const client = `CREATE CLIENT k TYPE HTTP CONFIG {
      'endpoint' = 'http://127.0.0.1:9', 'password' = 'hunter2' };`;
    const parsed = parseStatement(client);
    if (parsed.kind === 'refused' || parsed.parsed.statement.kind !== 'create_model') {
      throw new Error('the client is a model');
    }
    const models = [parsed.parsed.statement.model];
    const state = file('secret.json', JSON.stringify({ version: 1, domain: 'shop', models }));
    const { code, stdout, stderr } = await runNervix(['plan', '--file', '-', '--against', state], {
      stdin: 'CREATE SCHEMA s (id I64)',
    });
    expect(stderr).not.toContain('no model');
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain('hunter2');
  });

  test('prints the document with --json, and takes a snapshot', async () => {
    const snapshot = {
      version: 1,
      domain: 'shop',
      models: [{ kind: 'schema', name: 'sale', fields: [field('id', 'I64')] }],
    };
    const state = file('state.json', JSON.stringify(snapshot));
    const { code, stdout } = await runNervix(
      ['plan', '--json', '--file', '-', '--against', state],
      { stdin: 'CREATE RELAY sales SCHEMA sale UNBRANCHED' },
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      transaction: null,
      operation: null,
      report: { domain: 'shop', position: 1, completeness: { status: 'COMPLETE' } },
    });
  });

  test('reports every refusal at its place and exits with 1', async () => {
    const base = file('base.nspl', BASE);
    const text = 'CREATE RELAY a SCHEMA nope UNBRANCHED;\nDROP SCHEMA sale;\nSTART;\n';
    const faulty = file('faulty.nspl', text);
    const { code, stdout, stderr } = await runNervix(['plan', '--file', faulty, '--against', base]);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(`${faulty}:1:23: model 'a' in domain 'shop' requires missing schema`);
    expect(stderr).toContain(`${faulty}:2:13: cannot delete model 'sale' in domain 'shop'`);
    expect(stderr).toContain(`${faulty}:3:1: domain 'shop' is already running`);
    const json = await runNervix(['plan', '--file', faulty, '--against', base, '--json']);
    expect(json.code).toBe(1);
    const [first] = JSON.parse(json.stdout).error.refusals;
    expect(first).toMatchObject({
      code: 'PLAN_MISSING_REFERENCE',
      operation: 1,
      line: 1,
      column: 23,
    });
  });

  test.each([
    ['a script that cannot be read', 'CREATE RELAY', BASE, 3],
    ['a base that cannot be read', NEW, 'CREATE RELAY', 3],
    ['JSON that is no snapshot', NEW, '{"version":2}', 5],
    [
      'a snapshot with something that is no model',
      NEW,
      '{"version":1,"domain":"d","models":[{}]}',
      5,
    ],
  ])('%s', async (_, text, base, code) => {
    const against = file('any-base', base);
    const result = await runNervix([
      'plan',
      '--file',
      file('any.nspl', text),
      '--against',
      against,
    ]);
    expect(result.code).toBe(code);
    expect(result.stderr).not.toBe('');
  });

  test('arguments that are missing, and files that are', async () => {
    expect((await runNervix(['plan', '--against', 'x'])).code).toBe(2);
    expect((await runNervix(['plan', '--file', 'x'])).code).toBe(2);
    const gone = path.join(folder, 'gone.nspl');
    expect((await runNervix(['plan', '--file', gone, '--against', gone])).code).toBe(5);
  });
});

describe('nervix diff', () => {
  test('scripts that come to the same models are the same, however they are written', async () => {
    const before = file('before.nspl', BASE);
    const other = `CREATE RELAY big_sales SCHEMA sale UNBRANCHED; // the order does not matter
      CREATE SCHEMA sale (id I64, total F64); CREATE RELAY sales SCHEMA sale UNBRANCHED CAPACITY 4;
      ALTER RELAY sales SET CAPACITY 1;
      CREATE JUNCTION split FROM sales UNBRANCHED TO big_sales INHERIT ALL
        WHERE (input.total > 100.0) FLUSH IMMEDIATE ON MESSAGE ERROR LOG`;
    const result = await runNervix(['diff', before, file('after.nspl', other)]);
    expect(result).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('lists the models that differ, with what is altered about them', async () => {
    const before = file('before.nspl', BASE);
    const after = file('after.nspl', `${BASE}CREATE SCHEMA more (id I64);\n${NEW}`);
    const { code, stdout } = await runNervix(['diff', before, after]);
    expect(code).toBe(1);
    expect(stdout).toBe(
      `created kind=schema name=more
changed kind=relay name=sales RELAY_CAPACITY=DYNAMIC
changed kind=junction name=split PROCESSOR_MODE=ENTITY_PAUSE
`,
    );
    const json = await runNervix(['diff', after, before, '--json']);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout).differences[0]).toMatchObject({
      change: 'dropped',
      name: 'more',
    });
  });

  test('a file that cannot be read as NSPL', async () => {
    const before = file('before.nspl', BASE);
    expect((await runNervix(['diff', before, file('bad.nspl', 'CREATE')])).code).toBe(3);
  });
});

function field(name: string, type: string) {
  return { name, type, optional: false, sensitive: false };
}
