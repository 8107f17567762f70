import { describe, expect, test } from 'vitest';
import { openWithRelay } from '../support/control-node.ts';

const HUGE = '18446744073709551616';

describe('CP-135: what is missing is left out, and what does not fit is no number', () => {
  test.each([
    `CREATE RELAY q SCHEMA s UNBRANCHED CAPACITY ${HUGE};`,
    `ALTER RELAY r SET CAPACITY ${HUGE};`,
    `CREATE PLACEMENT near FROM r TO p REQUIRE COLOCATION RANK ${HUGE};`,
    `CREATE BRANCH b SCHEMA s TTL ${HUGE}h;`,
    `REBIND RESOURCE files TO VERSION ${HUGE};`,
    `DESCRIBE RESOURCE files VERSION ${HUGE};`,
    'ALTER RELAY r SET CAPACITY -1;',
  ])('%s is refused, not clamped', async (query) => {
    const node = await openWithRelay();
    await node.run('CREATE RELAY p SCHEMA s UNBRANCHED CAPACITY 8;');
    await node.run('CREATE RESOURCE files;');
    const before = [...node.state.models('d').values()];
    const { revision } = node.state;
    const error = await node.refuse(query);
    expect(error.diagnostics.length).toBeGreaterThan(0);
    expect([...node.state.models('d').values()]).toEqual(before);
    expect(node.state.leases()).toEqual([]);
    if (query.startsWith('DESCRIBE')) expect(node.state.revision).toBe(revision);
  });

  test('a diagnostic without a place has no span, a reply outside a transaction names none', async () => {
    const node = await openWithRelay();
    const error = await node.refuse('COMMIT;');
    for (const diagnostic of error.diagnostics) expect(diagnostic).not.toHaveProperty('span');
    expect(error).not.toHaveProperty('transaction');
    expect(await node.run('CREATE SCHEMA x (id I64);')).not.toHaveProperty('transaction');
    const { transaction } = await node.run('BEGIN;');
    expect(transaction).toMatchObject({ accepted_operations: 0, applied_operations: 0 });
  });

  test.each([
    "CREATE USER bob WITH PASSWORD 'hunter2-and-more' AND MORE;",
    "CREATE USER ada WITH PASSWORD 'hunter2-and-more';",
    "CREATE USER bob WITH PASSWORD 'hunter2-and-more'; CREATE SCHEMA y (id I64);",
    "ALTER USER nobody SET PASSWORD 'hunter2-and-more';",
    "DESCRIBE RELAY r WHERE (tenant = 'hunter2-and-more');",
    "DESCRIBE RELAY r WHERE (tenant = 'hunter2-and-more' 5);",
  ])('%s: no text of a refusal or of the log tells the value', async (query) => {
    const node = await openWithRelay();
    await node.run("CREATE USER ada WITH PASSWORD 'long enough, ada';");
    const error = await node.refuse(query);
    expect(JSON.stringify(error)).not.toContain('hunter2');
    expect(node.logLines.join('')).not.toContain('hunter2');
  });
});
