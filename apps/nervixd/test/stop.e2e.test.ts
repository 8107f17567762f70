import { eventually, openHttpSink } from '@nervix/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { delivery, INTAKE } from './support/pipelines.ts';
import { scratchFolder, scratchNode } from './support/scratch-node.ts';

/** Ids of the events that a sink got. */
function idsOf(bodies: readonly string[]): readonly number[] {
  return bodies.map((body) => (JSON.parse(body) as { readonly id: number }).id);
}

describe('SIGTERM under load', () => {
  test('CL-104: what was admitted is delivered, filtered or failed; nothing is lost', async () => {
    const sink = await openHttpSink(5);
    onTestFinished(() => sink.close());
    const { node, client } = await scratchNode();
    await client.deploy('shop', delivery(sink.origin));
    const accepted: number[] = [];
    const other = { filtered: 0, errored: 0, refused: 0 };
    let next = 0;
    const post = async (): Promise<void> => {
      for (;;) {
        next += 1;
        const id = next;
        const isFiltered = id % 10 === 0;
        const isBroken = id % 10 === 5;
        const body = isBroken ? '{' : JSON.stringify({ id: isFiltered ? -id : id, tenant: 't' });
        const status = await client.post('/events', body).then(
          (answer) => answer.status,
          () => 0,
        );
        // The listener is gone.
        if (status === 0) return;
        if (status === 202 && isFiltered) other.filtered += 1;
        else if (status === 202) accepted.push(id);
        else if (status === 422 && isBroken) other.errored += 1;
        else {
          expect(status, 'intake is refused while stopping').toBe(503);
          other.refused += 1;
          return;
        }
      }
    };
    const load = Array.from({ length: 8 }, post);
    await eventually(
      'a backlog builds up',
      () => accepted.length - sink.bodies.length,
      (n) => n > 50,
    );
    const before = sink.bodies.length;
    const exit = await node.stop();
    await Promise.all(load);
    expect(exit).toEqual({ code: 0, signal: null });
    expect(sink.bodies.length, 'it stopped with work left').toBeGreaterThan(before);
    const delivered = idsOf(sink.bodies);
    expect(new Set(delivered).size, 'no event twice').toBe(delivered.length);
    expect([...delivered].sort((a, b) => a - b)).toEqual([...accepted].sort((a, b) => a - b));
    expect(other.filtered).toBeGreaterThan(0);
    expect(other.errored).toBeGreaterThan(0);
  });

  test('CL-104: a sink that never answers does not hold the stop beyond its deadline', async () => {
    const sink = await openHttpSink(60_000);
    onTestFinished(() => sink.close());
    const { node, client } = await scratchNode({
      args: ['--drain-timeout', '500ms', '--shutdown-timeout', '10s'],
    });
    await client.deploy('shop', delivery(sink.origin));
    expect((await client.post('/events', '{"id":1,"tenant":"t"}')).status).toBe(202);
    const exit = await node.stop();
    expect(exit.signal).toBeNull();
    expect(node.stderrLines.join('\n')).toContain('drain deadline passed with work left');
  });

  test('CP-2: commands under way are answered or the outcome is unknown, and none is lost', async () => {
    const dbPath = scratchFolder();
    const { node, client } = await scratchNode({ dbPath });
    await client.run('CREATE DOMAIN d;');
    const acknowledged: string[] = [];
    const create = async (prefix: string): Promise<void> => {
      for (let number = 0; ; number += 1) {
        const name = `${prefix}${number}`;
        try {
          const { status } = await client.command(`CREATE SCHEMA ${name} (id I64);`, {
            domain: 'd',
          });
          if (status === 200) acknowledged.push(name);
          else if (status === 503 || status === 202) return;
        } catch {
          return;
        }
      }
    };
    const load = [create('a'), create('b')];
    await eventually(
      'commands run',
      () => acknowledged.length,
      (count) => count > 30,
    );
    expect(await node.stop()).toEqual({ code: 0, signal: null });
    await Promise.all(load);
    const again = await scratchNode({ dbPath });
    const url = `${again.node.addresses.session}/api/v1/domains/d/entities`;
    const { text } = await again.client.send(url, {
      headers: { authorization: again.client.authorization },
    });
    const { entities } = JSON.parse(text) as { entities: readonly { readonly name: string }[] };
    const stored = new Set(entities.map(({ name }) => name));
    expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
  });

  test('CL-104: a second signal ends the process at once', async () => {
    const sink = await openHttpSink(60_000);
    onTestFinished(() => sink.close());
    const { node, client } = await scratchNode();
    await client.deploy('shop', delivery(sink.origin));
    await client.post('/events', '{"id":1,"tenant":"t"}');
    node.signal('SIGTERM');
    await eventually(
      'the stop has begun',
      () =>
        client.post('/events', '{}').then(
          ({ status }) => status,
          () => 0,
        ),
      (status) => status === 503 || status === 0,
    );
    node.signal('SIGTERM');
    expect(await node.exit).toEqual({ code: 143, signal: null });
  });
});

test('a stop without load leaves a store that starts again', async () => {
  const dbPath = scratchFolder();
  const { node, client } = await scratchNode({ dbPath });
  await client.deploy('shop', INTAKE);
  expect(await node.stop()).toEqual({ code: 0, signal: null });
  const again = await scratchNode({ dbPath });
  expect((await again.client.post('/events', '{"id":1,"tenant":"t"}')).status).toBe(202);
});
