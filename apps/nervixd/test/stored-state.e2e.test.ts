import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { eventually, openHttpSink } from '@nervix/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { delivery } from './support/pipelines.ts';
import { scratchFolder, scratchNode } from './support/scratch-node.ts';

const CANARY = 'canary-4711-of-a-tenant';

/** Files below a folder that hold a text somewhere. */
function filesWith(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => {
    try {
      return readFileSync(path.join(folder, file)).includes(text);
    } catch {
      return false;
    }
  });
}

test('CP-3, CP-113: definitions lie under consensus, and no record that flows lies anywhere', async () => {
  const sink = await openHttpSink();
  onTestFinished(() => sink.close());
  const dbPath = scratchFolder();
  const { node, client } = await scratchNode({ dbPath });
  await client.deploy('shop', delivery(sink.origin));
  for (let id = 0; id < 100; id += 1) {
    const event = JSON.stringify({ id, tenant: `${CANARY}-${id}`, amount: 1 });
    expect((await client.post('/events', event)).status).toBe(202);
  }
  await eventually(
    'all rows are delivered',
    () => sink.bodies.length,
    (count) => count > 0 && sink.bodies.join('').includes(`${CANARY}-99`),
  );
  const isAnywhere = () => filesWith(dbPath, CANARY);
  expect(isAnywhere()).toEqual([]);
  await node.stop();
  expect(isAnywhere()).toEqual([]);
  expect(readdirSync(dbPath)).toContain('consensus');
  const defining = filesWith(dbPath, 'event_endpoint');
  expect(defining.length, 'what is looked for would be found').toBeGreaterThan(0);
  for (const file of defining) expect(file.split(path.sep)[0]).toBe('consensus');
});
