import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@nervix/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { delivery } from './support/pipelines.ts';
import { runTerminal } from './support/run-terminal.ts';
import { type ScratchNode, scratchFolder, scratchNode } from './support/scratch-node.ts';

const SHOP = { domain: 'shop' };
const EVENT = JSON.stringify({ id: 1, tenant: 'a', amount: 2 });

/** A server that answers nobody until it is told to. */
async function heldSink() {
  const released = Promise.withResolvers<void>();
  let arrivals = 0;
  const server = createServer(async (request, response) => {
    arrivals += 1;
    request.resume();
    await released.promise;
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return { origin, arrivals: () => arrivals, release: released.resolve };
}

interface Draining extends ScratchNode {
  readonly transaction: string;
  readonly commit: ReturnType<ScratchNode['client']['command']>;
  readonly release: () => void;
}

/** A commit whose first step is applied and whose second one waits for a row that nobody takes. */
async function drainingCommit(dbPath: string): Promise<Draining> {
  const sink = await heldSink();
  const started = await scratchNode({ dbPath });
  const { client } = started;
  await client.deploy('shop', delivery(sink.origin));
  expect((await client.post('/events', EVENT)).status).toBe(202);
  await eventually('the row is on its way', sink.arrivals, (count) => count > 0);
  const { body } = await client.command('BEGIN;', SHOP);
  const transaction = body.transaction?.id ?? '';
  await client.run('CREATE RESOURCE files;', { transaction });
  await client.run('DROP EMITTER events_out;', { transaction });
  const commit = client.command('COMMIT;', { transaction });
  commit.catch(() => undefined);
  await eventually(
    'the second step drains',
    () => client.run(`DESCRIBE TRANSACTION '${transaction}';`),
    (text) => text.includes('operations: 2 accepted, 1 applied') && text.includes('REQUESTED'),
  );
  return { ...started, transaction, commit, release: sink.release };
}

async function begin({ client }: ScratchNode): Promise<string> {
  const { body } = await client.command('BEGIN;', SHOP);
  return body.transaction?.id ?? '';
}

async function shopNode(settings: Parameters<typeof scratchNode>[0] = {}): Promise<ScratchNode> {
  const started = await scratchNode(settings);
  await started.client.run('CREATE DOMAIN shop;');
  await started.client.run('CREATE SCHEMA s (id I64);', SHOP);
  return started;
}

describe('acceptance 1: the leader goes between two steps', () => {
  test('step 1 is not repeated, others are refused by owner, other domains go on', async () => {
    const dbPath = scratchFolder();
    const first = await drainingCommit(dbPath);
    const { client, transaction } = first;
    const busy = await client.command('STOP;', SHOP);
    expect(busy.body.error?.message).toBe(
      `domain 'shop' mutation is owned by transaction '${transaction}'`,
    );
    await client.run('CREATE DOMAIN beside;');
    await client.run('CREATE SCHEMA s (id I64);', { domain: 'beside' });
    await first.node.kill9();
    const again = await scratchNode({ dbPath });
    const text = await eventually(
      'the commit comes to its end',
      () => again.client.run(`DESCRIBE TRANSACTION '${transaction}';`),
      (told) => !told.includes('state: COMMITTING'),
    );
    // The process is another one: what was planned for the first is not applied by the second.
    expect(text).toContain('state: FAILED\nfailing operation: 2\n');
    expect(text).toContain('operations: 2 accepted, 1 applied, 0 pending');
    expect(text).toContain('outcome APPLIED');
    expect(await again.client.run('DESCRIBE RESOURCE files;', SHOP)).toContain('resource: files');
    expect(await again.client.run('SHOW CREATE EMITTER events_out;', SHOP)).toContain('EMITTER');
    await again.client.run('STOP;', SHOP);
  });
});

describe('acceptance 2: a conflict behind the admission', () => {
  test('ends the transaction at its second operation of two, and keeps the prefix', async () => {
    const { client, transaction, commit, release } = await drainingCommit(scratchFolder());
    await client.run('CORDON NODE node-1;');
    release();
    const { status, body } = await commit;
    expect(status).not.toBe(200);
    expect(body.error?.message).toContain(
      `transaction '${transaction}' planning inputs changed: domain 'shop' member inputs changed`,
    );
    const text = await client.run(`DESCRIBE TRANSACTION '${transaction}';`);
    expect(text).toContain('state: FAILED\nfailing operation: 2\n');
    expect(text).toContain('operations: 2 accepted, 1 applied, 0 pending');
    expect(await client.run('DESCRIBE RESOURCE files;', SHOP)).toContain('resource: files');
    expect(await client.run('SHOW CREATE EMITTER events_out;', SHOP)).toContain('EMITTER');
    const again = await client.command('COMMIT;', { transaction });
    expect(again.body.error?.message).toBe(body.error?.message);
  });
});

describe('acceptance 6: idle time', () => {
  test('ends a transaction, leaves a tombstone, and then nothing', async () => {
    const node = await shopNode({
      args: ['--transaction-idle-timeout', '250ms', '--transaction-tombstone-retention', '1s'],
    });
    const transaction = await begin(node);
    const describeIt = () => node.client.command(`DESCRIBE TRANSACTION '${transaction}';`);
    await eventually(
      'it expires',
      () => node.client.run('SHOW TRANSACTIONS;'),
      (text) => text.includes('state=EXPIRED'),
      30_000,
    );
    const refused = await node.client.command('COMMIT;', { transaction });
    expect(refused.body.error?.message).toBe(
      `transaction '${transaction}' is not open (state EXPIRED)`,
    );
    const gone = await eventually(
      'the tombstone goes',
      describeIt,
      ({ status }) => status === 404,
      40_000,
    );
    expect(gone.body.error?.message).toBe(`transaction '${transaction}' is unknown`);
    expect(await node.client.run('SHOW TRANSACTIONS;')).toBe('no transactions');
  }, 90_000);
});

describe('acceptance 7: limits', () => {
  test('of 1 statement, 30 bytes and 1 open transaction', async () => {
    const X = 'CREATE SCHEMA x (id I64);';
    const node = await shopNode({
      args: [
        ...['--transaction-max-open', '1', '--transaction-max-statements', '1'],
        ...['--transaction-max-source-bytes', '30'],
      ],
    });
    const transaction = await begin(node);
    const message = async (query: string, rest: object = { transaction }) =>
      (await node.client.command(query, { ...rest })).body.error?.message;
    expect(await message('BEGIN;', SHOP)).toBe('concurrent open transaction limit 1 reached');
    expect(await message('CREATE SCHEMA xxxxxxxxx (id I64);')).toBe(
      `transaction '${transaction}' queued source byte limit 30 exceeded`,
    );
    await node.client.run(X, { transaction });
    expect(await message('STOP;')).toBe(
      `transaction '${transaction}' queued statement limit 1 reached`,
    );
    await node.client.run('COMMIT;', { transaction });
    await begin(node);
  });
});

describe('acceptance 8: vectors', () => {
  test('A: an incomplete run is accepted, what follows it is refused until it is complete', async () => {
    const node = await scratchNode();
    await node.client.run('CREATE DOMAIN shop;');
    const transaction = await begin(node);
    const inTransaction = (query: string) => node.client.command(query, { transaction });
    await inTransaction('CREATE RELAY r SCHEMA s UNBRANCHED;');
    const refused = await inTransaction('CREATE RESOURCE x;');
    expect(refused.body.error?.message).toContain("requires missing schema 's'");
    expect(await node.client.run('SHOW TRANSACTIONS;')).toContain('pending=1 ');
    for (const query of ['CREATE SCHEMA s (id I64);', 'CREATE RESOURCE x;', 'COMMIT;']) {
      expect((await inTransaction(query)).status, query).toBe(200);
    }
  });

  test('B: a request stops at its first failure and leaves the transaction open, in the terminal too', async () => {
    const { node, client } = await shopNode();
    const script = 'BEGIN; CREATE RESOURCE b; CREATE RESOURCE b; COMMIT;';
    const { status, body } = await client.command(script, SHOP);
    expect(status).not.toBe(200);
    expect(body.error?.message).toContain("resource 'b' already exists");
    expect(body.transaction?.state ?? 'Open').toBe('Open');
    expect(await client.run('SHOW TRANSACTIONS;')).toContain('state=OPEN pending=1 progress=0/1');
    const told = await runTerminal(node, ['--domain', 'shop', '--file', '-'], script);
    expect(told.code).not.toBe(0);
    expect(told.stdout).toContain('quiesce level: DYNAMIC');
    // The end of the terminal's session reverts what it left open; the other one stays.
    const left = await client.run('SHOW TRANSACTIONS;');
    expect(left.match(/state=\w+/g)?.sort()).toEqual(['state=OPEN', 'state=REVERTED']);
  });

  test('C: what is changed in the middle of a chain closes its input alone', async () => {
    const { client } = await shopNode();
    const route = (to: string) => `TO ${to} INHERIT ALL FLUSH IMMEDIATE ON MESSAGE ERROR LOG`;
    const relays = ['input', 'middle', 'output'].map(
      (name) => `CREATE RELAY ${name} SCHEMA s UNBRANCHED;`,
    );
    await client.run(
      `BEGIN; ${relays.join(' ')}
       CREATE DEDUPLICATOR changed FROM input DEDUPLICATE ON input.id MAX TIME 1m UNBRANCHED
         ${route('middle')};
       CREATE JUNCTION downstream FROM middle UNBRANCHED ${route('output')};
       START; COMMIT;`,
      SHOP,
    );
    const { body } = await client.command('BEGIN;', SHOP);
    const transaction = body.transaction?.id ?? '';
    await client.run('ALTER DEDUPLICATOR changed SET DEDUPLICATE ON input.id + 1 AS I64;', {
      transaction,
    });
    const text = await client.run('DESCRIBE TRANSACTION;', { transaction });
    const [pause = ''] = /pause: SUBGRAPH[\s\S]*?(?=\noperation )/.exec(text) ?? [];
    expect([...pause.matchAll(/gate relay=(\w+)/g)].map(([, relay]) => relay)).toEqual(['input']);
    expect([...pause.matchAll(/node kind=\w+ name=(\w+)/g)].map(([, name]) => name).sort()).toEqual(
      ['changed', 'downstream', 'middle', 'output'],
    );
  });
});

describe('acceptance 10: documents', () => {
  test('the terminal prints the same report as JSON that the API sends, and reads it back', async () => {
    const { node, client } = await shopNode();
    const transaction = await begin({ node, client });
    await client.run('CREATE SCHEMA x (id I64);', { transaction });
    await client.run('START;', { transaction });
    const query = `DESCRIBE TRANSACTION '${transaction}' FORMAT JSON;`;
    const { body } = await client.command(query);
    const sent = (body as { readonly inspection?: unknown }).inspection;
    const { code, stdout } = await runTerminal(node, ['--domain', 'shop', '--command', query]);
    expect(code).toBe(0);
    const printed: unknown = JSON.parse(stdout);
    expect(printed).toEqual(sent);
    expect(stdout.trimEnd()).toBe(JSON.stringify(printed, null, 2));
    expect(body.message).toBe(stdout.trimEnd());
  });
});
