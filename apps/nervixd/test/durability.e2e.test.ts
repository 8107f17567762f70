import { eventually, type NodeClient, runNervixd } from '@nervix/testkit';
import { describe, expect, test } from 'vitest';
import { INTAKE } from './support/pipelines.ts';
import { PASSWORD, type ScratchNode, scratchFolder, scratchNode } from './support/scratch-node.ts';
import { newReference } from './support/uuid.ts';

interface Sent {
  readonly reference: string;
  readonly name: string;
  /** Text of the answer, or undefined when none came. */
  message?: string | undefined;
}

/** Creates schemas in a domain as fast as the node answers, until its connection breaks. */
async function createSchemas(client: NodeClient, domain: string, sent: Sent[]): Promise<void> {
  for (let number = 0; ; number += 1) {
    const command: Sent = { reference: newReference(), name: `s${number}` };
    sent.push(command);
    const asked = { domain, execution_reference: command.reference };
    try {
      const { status, body } = await client.command(`CREATE SCHEMA s${number} (id I64);`, asked);
      expect(status).toBe(200);
      command.message = body.message;
    } catch (error) {
      if (error instanceof Error && 'code' in error) return;
      throw error;
    }
  }
}

async function entities({ node, client }: ScratchNode, domain: string): Promise<readonly string[]> {
  const url = `${node.addresses.session}/api/v1/domains/${domain}/entities`;
  const { text } = await client.send(url, { headers: { authorization: client.authorization } });
  const list = JSON.parse(text) as { readonly entities: readonly { readonly name: string }[] };
  return list.entities.map(({ name }) => name);
}

describe('kill -9', () => {
  test('CP-2, CP-12: acknowledged commands stay, the others happened once or not at all', async () => {
    const dbPath = scratchFolder();
    let current = await scratchNode({ dbPath });
    const domains = ['a', 'b', 'c', 'd'];
    for (const name of domains) await current.client.run(`CREATE DOMAIN ${name};`);
    for (let round = 0; round < 3; round += 1) {
      const { node, client } = current;
      const sent = domains.map((): Sent[] => []);
      const load = sent.map((own, index) => createSchemas(client, domains[index] ?? '', own));
      const answered = (): number => sent.flat().filter(({ message }) => message).length;
      await eventually('commands are under way', answered, (count) => count > 40 + 13 * round);
      await node.kill9();
      await Promise.all(load);
      current = await scratchNode({ dbPath });
      for (const [index, own] of sent.entries()) {
        const domain = domains[index] ?? '';
        const stored = new Set(await entities(current, domain));
        for (const { name, message, reference } of own) {
          if (message !== undefined) expect(stored.has(name), `${domain} ${name}`).toBe(true);
          const asked = { domain, execution_reference: reference };
          const statement = `CREATE SCHEMA ${name} (id I64);`;
          const { status, body } = await current.client.command(statement, asked);
          expect(status).toBe(200);
          expect(body.origin).toBe(stored.has(name) ? 'Recovered' : 'Executed');
          if (message !== undefined) expect(body.message).toBe(message);
          await current.client.run(`DROP SCHEMA ${name};`, { domain });
        }
        expect(await entities(current, domain)).toEqual([]);
      }
    }
  });

  test('CP-2: during data: the domain runs again; a post was answered with 202, an error or not at all', async () => {
    const dbPath = scratchFolder();
    const { node, client } = await scratchNode({ dbPath });
    await client.deploy('shop', INTAKE);
    const statuses = new Set<number | 'no answer'>();
    let accepted = 0;
    const post = async (): Promise<void> => {
      for (let id = 0; ; id += 1) {
        const body = JSON.stringify({ id, tenant: 't' });
        const status = await client.post('/events', body).then(
          (reply) => reply.status,
          () => 'no answer' as const,
        );
        statuses.add(status);
        if (status === 'no answer') return;
        accepted += 1;
      }
    };
    const load = [post(), post(), post(), post()];
    await eventually(
      'posts are accepted',
      () => accepted,
      (count) => count > 500,
    );
    await node.kill9();
    await Promise.all(load);
    expect([...statuses].sort()).toEqual([202, 'no answer']);

    const again = await scratchNode({ dbPath });
    expect(await again.client.run('DESCRIBE DOMAIN;', { domain: 'shop' })).toContain(
      'status: running',
    );
    expect((await again.client.post('/events', '{"id":1,"tenant":"t"}')).status).toBe(202);
    await eventually(
      'the row reaches its relay',
      () => again.client.metrics(),
      (metrics) =>
        metrics.sum('nervix_messages_total', {
          target: 'events_in',
          direction: 'sent',
          relay: 'events',
        }) === 1,
    );
  });
});

/** Status of a request that signs in as a user. */
async function signInStatus(
  { node, client }: ScratchNode,
  user: string,
  password: string,
): Promise<number> {
  const credentials = Buffer.from(`${user}:${password}`).toString('base64');
  const reply = await client.send(`${node.addresses.session}/api/v1/domains`, {
    headers: { authorization: `Basic ${credentials}` },
  });
  return reply.status;
}

describe('restart', () => {
  test('CP-27: users and passwords stay, whatever the environment says', async () => {
    const dbPath = scratchFolder();
    const { node, client } = await scratchNode({ dbPath });
    await client.run("CREATE USER ada WITH PASSWORD 'first-secret';");
    await client.run("CREATE IF NOT EXISTS USER ada WITH PASSWORD 'second-secret';");
    await node.stop();
    const other = { NERVIX_INIT_DEFAULT_USER_PASSWORD: 'another-password' };
    const again = await scratchNode({ dbPath, env: other });
    const signIn = (user: string, password: string) => signInStatus(again, user, password);
    expect(await signIn('ada', 'first-secret')).toBe(200);
    expect(await signIn('ada', 'second-secret')).toBe(401);
    expect(await signIn('default', PASSWORD)).toBe(200);
    expect(await signIn('default', 'another-password')).toBe(401);
    const printed = [...node.stdoutLines, ...node.stderrLines, ...again.node.stderrLines].join('');
    expect(printed).not.toMatch(/secret|another-password/);
  });

  test('CP-142, CP-143: a changed password and a dropped user stay so', async () => {
    const dbPath = scratchFolder();
    const first = await scratchNode({ dbPath });
    for (const name of ['ada', 'bob']) {
      await first.client.run(`CREATE USER ${name} WITH PASSWORD 'first-secret';`);
      expect(await signInStatus(first, name, 'first-secret')).toBe(200);
    }
    await first.client.run("ALTER USER ada SET PASSWORD 'second-secret';");
    await first.client.run('DROP USER bob;');
    const check = async (scratch: ScratchNode): Promise<void> => {
      expect(await signInStatus(scratch, 'ada', 'second-secret')).toBe(200);
      expect(await signInStatus(scratch, 'ada', 'first-secret')).toBe(401);
      expect(await signInStatus(scratch, 'bob', 'first-secret')).toBe(401);
    };
    await check(first);
    await first.node.kill9();
    await check(await scratchNode({ dbPath }));
    const printed = [...first.node.stdoutLines, ...first.node.stderrLines].join('');
    expect(printed).not.toContain('secret');
  });

  test('CP-41, CP-66: an open transaction survives and is previewed anew, a stopped domain stays stopped', async () => {
    const dbPath = scratchFolder();
    const { node, client } = await scratchNode({ dbPath });
    await client.deploy('shop', INTAKE);
    await client.run('STOP;', { domain: 'shop' });
    const { body } = await client.command('BEGIN;', { domain: 'shop' });
    const transaction = body.transaction?.id;
    await client.run('CREATE SCHEMA late (id I64);', { transaction });
    await node.kill9();
    const again = await scratchNode({ dbPath });
    expect((await again.client.post('/events', '{}')).status).not.toBe(202);
    const { status } = await again.client.command('COMMIT;', { transaction });
    expect(status, 'it was planned for the former process').toBe(412);
    expect(await again.client.run('COMMIT;', { transaction })).toBe('quiesce level: DYNAMIC');
    expect(await again.client.run('SHOW CREATE SCHEMA late;', { domain: 'shop' })).toContain(
      'id I64',
    );
  });
});

test('CL-104: a second node on the same folder ends with exit 1 and says why', async () => {
  const dbPath = scratchFolder();
  const { client } = await scratchNode({ dbPath });
  const any = '127.0.0.1:0';
  const run = await runNervixd([
    ...['--db-path', dbPath, '--addr', any],
    ...['--http-listen-addr', any, '--observability-listen-addr', any],
  ]);
  expect(run.code).toBe(1);
  expect(run.stderr).toMatch(/consensus storage .*(in use|locked|another process)/i);
  await client.run('CREATE DOMAIN alive;');
});
