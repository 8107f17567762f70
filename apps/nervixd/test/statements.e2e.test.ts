import { describe, expect, test } from 'vitest';
import { INTAKE } from './support/pipelines.ts';
import { scratchNode } from './support/scratch-node.ts';

describe('statements', () => {
  test('CP-38: two statements outside BEGIN are refused and neither runs', async () => {
    const { client } = await scratchNode();
    await client.run('CREATE DOMAIN d;');
    const query = 'CREATE SCHEMA x (id I64); CREATE SCHEMA y (id I64);';
    const { status, body } = await client.command(query, { domain: 'd' });
    expect([status, body.error?.code, body.error?.message]).toEqual([
      400,
      'REQUEST_SHAPE',
      'multiple commands require BEGIN',
    ]);
    for (const name of ['x', 'y']) {
      const read = await client.command(`SHOW CREATE SCHEMA ${name};`, { domain: 'd' });
      expect(read.status).toBe(404);
    }
  });

  test('CP-30, CP-37: a failing statement changes nothing and says where and why', async () => {
    const { client } = await scratchNode();
    await client.deploy('d', INTAKE);
    const reads = [
      'SHOW CREATE SCHEMA event;',
      'SHOW CREATE RELAY events;',
      'SHOW CREATE INGESTOR events_in;',
      'SHOW CREATE CODEC event_codec;',
    ];
    const all = async (): Promise<readonly string[]> => {
      const texts: string[] = [];
      for (const read of reads) texts.push(await client.run(read, { domain: 'd' }));
      return texts;
    };
    const before = await all();
    const failing: readonly [query: string, status: number, code: string, place: string][] = [
      ['DROP SCHEMA event;', 422, 'IN_USE', 'event'],
      ['DROP RELAY events;', 422, 'IN_USE', 'events'],
      ['/* none */ DROP RELAY events;', 422, 'PARSE_FAILED', '/'],
      ['// ✈ ü\nCREATE SCHEMA event (id BOOL);', 422, 'ALREADY_EXISTS', 'event'],
      ['CREATE RELAY q SCHEMA gone UNBRANCHED CAPACITY 8;', 404, 'NOT_FOUND', 'gone'],
      ['// ✈\nCREATE SCHEMA q (id NOTHING);', 422, 'PARSE_FAILED', 'NOTHING'],
    ];
    for (const [query, status, code, place] of failing) {
      const answer = await client.command(query, { domain: 'd' });
      const error = answer.body.error as
        | { code: string; diagnostics: { span?: { start: number; end: number } }[] }
        | undefined;
      expect([answer.status, error?.code], query).toEqual([status, code]);
      const span = error?.diagnostics[0]?.span;
      const text = Buffer.from(query).subarray(span?.start, span?.end).toString();
      expect(text.startsWith(place), `${query} is blamed at ${text}`).toBe(true);
    }
    expect(await all()).toEqual(before);
    expect((await client.post('/events', '{"id":1,"tenant":"t"}')).status).toBe(202);
  });
});
