import { eventually, openHttpSink } from '@nervix/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { INTAKE } from './support/pipelines.ts';
import { scratchNode } from './support/scratch-node.ts';

const EVENTS = { domain: 'events' };
const posts = (ids: readonly number[]): string =>
  ids.map((id) => JSON.stringify({ id, tenant: 't', amount: 1 })).join('\n');
const route = (flush: string) => `TO slow INHERIT ALL FLUSH ${flush} ON MESSAGE ERROR LOG`;
const EMITTER = `CREATE EMITTER slow_out
  FROM slow
  TO HTTP sink METHOD 'POST' PATH '/' MODE ACK RETRY POLICY BACKOFF 50ms MAX 1s
  ENCODE USING event_codec INHERIT ALL FLUSH IMMEDIATE
  ON MESSAGE ERROR LOG ON GENERAL ERROR LOG;`;

test('what changes of a running graph is what is held of it (RT-9, RT-31, RT-50, RT-182, RT-198)', async () => {
  const sink = await openHttpSink();
  onTestFinished(() => sink.close());
  const { client } = await scratchNode();
  await client.deploy('events', [
    ...INTAKE,
    `CREATE CLIENT sink TYPE HTTP CONFIG { 'endpoint' = '${sink.origin}', 'timeout_ms' = 5000 };`,
    'CREATE RELAY slow SCHEMA event UNBRANCHED CAPACITY 1;',
    `CREATE JUNCTION slowly FROM events UNBRANCHED
      ${route('EACH 1h MAX BATCH SIZE 1GiB')};`,
    EMITTER,
  ]);
  const level = async (statement: string) =>
    /quiesce level: (\w+)/.exec(await client.run(statement, EVENTS))?.[1];
  const ids = () => sink.payloads.map((body) => JSON.parse(body.toString()).id as number);
  const post = (numbers: readonly number[]) =>
    client.post('/events', posts(numbers), { 'content-type': 'application/x-ndjson' });

  expect((await post([1, 2])).status).toBe(202);
  expect(await level('ALTER RELAY slow SET CAPACITY 16;')).toBe('DYNAMIC');
  expect(ids()).toEqual([]);
  const replaced = `ALTER JUNCTION slowly REPLACE ROUTE ${route('EACH 20ms MAX BATCH SIZE 1GiB')};`;
  expect(await level(replaced)).toBe('DYNAMIC');
  await eventually('buffered records leave by the new policy', ids, (all) => all.length === 2);
  expect(await level('ALTER JUNCTION slowly SET FILTER WHERE input.id != 3 AS I64;')).toBe(
    'DYNAMIC',
  );
  expect((await post([3, 4])).status).toBe(202);
  await eventually('the filter holds', ids, (all) => all.includes(4));
  expect(ids()).toEqual([1, 2, 4]);
  expect(await level('ALTER EMITTER slow_out SET FLUSH EACH 10ms MAX BATCH SIZE 1MiB;')).toBe(
    'DYNAMIC',
  );
  expect(await level('ALTER JUNCTION slowly SET DETACHED;')).toBe('ENTITY_PAUSE');
  expect((await post([5])).status).toBe(202);
  await eventually('the replaced junction works', ids, (all) => all.includes(5));
  const { body } = await client.command('BEGIN;', EVENTS);
  const transaction = body.transaction?.id ?? '';
  await client.run('ALTER JUNCTION slowly SET ATTACHED;', { transaction });
  expect(await client.run('COMMIT;', { transaction })).toBe('quiesce level: ENTITY_PAUSE');
  expect(await client.run(`DESCRIBE TRANSACTION '${transaction}';`)).toContain(
    'planned ENTITY_PAUSE, actual ENTITY_PAUSE, outcome APPLIED',
  );
  expect((await post([6])).status).toBe(202);
  await eventually('the junction works again', ids, (all) => all.includes(6));
  expect(await level('CREATE RELAY more SCHEMA event UNBRANCHED CAPACITY 1;')).toBe('DOMAIN_PAUSE');
});

const pipeline = (origin: string): readonly string[] => [
  ...INTAKE,
  `CREATE CLIENT sink TYPE HTTP CONFIG { 'endpoint' = '${origin}', 'timeout_ms' = 5000 };`,
  'CREATE RELAY unique_events SCHEMA event UNBRANCHED CAPACITY 4;',
  'CREATE RELAY slow SCHEMA event UNBRANCHED CAPACITY 4;',
  `CREATE DEDUPLICATOR once FROM events DEDUPLICATE ON input.id MAX TIME 1h UNBRANCHED
    TO unique_events INHERIT ALL FLUSH IMMEDIATE ON MESSAGE ERROR LOG;`,
  `CREATE JUNCTION slowly FROM unique_events UNBRANCHED ${route('IMMEDIATE')};`,
  EMITTER,
];

/** Changes of every width, told apart by a number. */
const CHANGES: readonly ((number: number) => string)[] = [
  (n) => `ALTER RELAY slow SET CAPACITY ${1 + (n % 9)};`,
  (n) => `ALTER JUNCTION slowly REPLACE ROUTE ${route(`EACH ${1 + n}ms MAX BATCH SIZE 1MiB`)};`,
  (n) => `ALTER DEDUPLICATOR once SET MAX TIME ${60 + n}m;`,
  (n) => `ALTER EMITTER slow_out SET FLUSH EACH ${1 + n}ms MAX BATCH SIZE 1MiB;`,
  (n) => `ALTER JUNCTION slowly SET ${n % 2 === 0 ? 'DETACHED' : 'ATTACHED'};`,
  (n) => `ALTER DEDUPLICATOR once SET ${n % 2 === 0 ? 'DETACHED' : 'ATTACHED'};`,
  (n) => `ALTER EMITTER slow_out SET ${n % 2 === 0 ? 'DETACHED' : 'ATTACHED'};`,
  (n) => `ALTER INGESTOR events_in SET FILTER WHERE input.id >= ${-1 - n} AS I64;`,
  (n) => `CREATE RELAY more${n} SCHEMA event UNBRANCHED CAPACITY 1;`,
];

test('every accepted record passes once, however often the graph changes (RT-196, RT-201, RT-205)', async () => {
  const sink = await openHttpSink();
  onTestFinished(() => sink.close());
  const { client } = await scratchNode();
  await client.deploy('events', pipeline(sink.origin));
  const accepted: number[] = [];
  let isChanging = true;
  const posting = (async () => {
    for (let id = 0; isChanging; id += 2) {
      const ids = [id, id + 1];
      const headers = { 'content-type': 'application/x-ndjson' };
      const { status } = await client.post('/events', posts(ids), headers);
      expect([202, 503]).toContain(status);
      if (status === 202) accepted.push(...ids);
      const behind = () => accepted.length - sink.payloads.length;
      await eventually('the sink keeps up', behind, (rows) => rows < 40);
    }
  })();
  const levels = new Set<string | undefined>();
  for (let round = 0; round < 6; round += 1) {
    for (const change of CHANGES) {
      const text = await client.run(change(round), EVENTS);
      levels.add(/quiesce level: (\w+)/.exec(text)?.[1]);
    }
  }
  isChanging = false;
  await posting;
  expect([...levels].sort()).toEqual(['DOMAIN_PAUSE', 'DYNAMIC', 'ENTITY_PAUSE']);
  const ids = () => sink.payloads.map((body) => JSON.parse(body.toString()).id as number);
  await eventually('all are delivered', ids, ({ length }) => length >= accepted.length, 60_000);
  const ascending = (all: readonly number[]) => [...all].sort((left, right) => left - right);
  expect(ascending(ids())).toEqual(accepted);
});
