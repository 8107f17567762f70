import { eventually, openHttpSink } from '@nervix/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { scratchFolder, scratchNode } from './support/scratch-node.ts';

const graded = (code: string) => `CREATE UDF graded WITH ECMASCRIPT_2023
  ARGS (score I64, name STRING OPTIONAL) RETURNS STRING CODE $js$${code}$js$;`;
const CODE = `function graded(score, name) {
  if (score < 0n) reject('negative');
  if (score === 666n) for (;;);
  return (name ?? 'nobody') + ':' + score * 2n;
}
test('doubles', () => graded(4n, 'x') === 'x:8');`;

const graph = (origin: string) => [
  'CREATE SCHEMA scored (score I64, name STRING OPTIONAL);',
  'CREATE SCHEMA grade (text STRING);',
  'CREATE WIRE JSON SCHEMA scored_json MODE STRICT (score INTEGER, name STRING OPTIONAL);',
  'CREATE WIRE JSON SCHEMA grade_json MODE STRICT (text STRING);',
  'CREATE CODEC scored_codec FROM WIRE JSON SCHEMA scored_json TO SCHEMA scored;',
  'CREATE CODEC grade_codec FROM WIRE JSON SCHEMA grade_json TO SCHEMA grade;',
  graded(CODE),
  'CREATE VHOST host localhost, 127.0.0.1;',
  `CREATE CLIENT sink TYPE HTTP CONFIG { 'endpoint' = '${origin}', 'timeout_ms' = 5000 };`,
  'CREATE RELAY scores SCHEMA scored UNBRANCHED CAPACITY 64;',
  'CREATE RELAY grades SCHEMA grade UNBRANCHED CAPACITY 64;',
  "CREATE ENDPOINT scores_endpoint ON host PATH '/scores' TYPE HTTP;",
  `CREATE INGESTOR scores_in FROM ENDPOINT scores_endpoint
    MODE ACK PARALLEL MAX 64 ACK TIMEOUT 20s
    ON QUIESCE REJECT RETRY AFTER 1s DECODE USING scored_codec TIMESTAMP NOW
    TO scores INHERIT ALL UNBRANCHED FLUSH IMMEDIATE ON MESSAGE ERROR LOG
    ON DECODE ERROR LOG ON GENERAL ERROR LOG;`,
  `CREATE JUNCTION grading FROM scores UNBRANCHED
    TO grades SET text = udf::graded(input.score, input.name)
    FLUSH IMMEDIATE ON MESSAGE ERROR LOG;`,
  `CREATE EMITTER grades_out FROM grades
    TO HTTP sink METHOD 'POST' PATH '/grades' MODE ACK RETRY POLICY BACKOFF 50ms MAX 1s
    ENCODE USING grade_codec INHERIT ALL FLUSH IMMEDIATE
    ON MESSAGE ERROR LOG ON GENERAL ERROR LOG;`,
];

test('a UDF in ECMAScript is tested, stored, run, stopped and run again after a crash (TYPE 8)', async () => {
  const sink = await openHttpSink();
  onTestFinished(() => sink.close());
  const dbPath = scratchFolder();
  const { client, node } = await scratchNode({ dbPath });
  await client.deploy('shop', graph(sink.origin));
  const post = async (to: typeof client, score: number, name?: string) =>
    (await to.post('/scores', JSON.stringify({ score, name }))).status;
  const texts = () => sink.payloads.map((body) => JSON.parse(body.toString()).text as string);

  expect(await post(client, 4, 'é')).toBe(200);
  expect(await post(client, 5)).toBe(200);
  expect(await post(client, -1)).toBe(503);
  // A record that never ends costs itself, and nothing of the next one.
  expect(await post(client, 666)).toBe(503);
  expect(await post(client, 6, 'b')).toBe(200);
  expect(texts()).toEqual(['é:8', 'nobody:10', 'b:12']);

  const other = graded(CODE).replace('UDF graded', 'UDF other');
  const refused = await client.command(other, { domain: 'shop' });
  expect(JSON.stringify(refused.body)).toContain("no function 'other' is declared");

  await node.kill9();
  const again = await scratchNode({ dbPath });
  await eventually(
    'the domain runs again',
    () => post(again.client, 7),
    (status) => status === 200,
  );
  expect(texts().at(-1)).toBe('nobody:14');
});
