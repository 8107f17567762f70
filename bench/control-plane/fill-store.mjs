// Writes the domain of bench:planner, stopped, into the store of a node that does not run yet.
// Arguments: database path, entities.
import path from 'node:path';
import { ReplicatedLog } from '../../packages/server/dist/replicated-state/replicated-log.js';
import { generatedShop } from '../planner/generated-shop.mjs';

const [dbPath, entities] = process.argv.slice(2);
const { models } = generatedShop(Number(entities));
const directory = path.join(dbPath, 'consensus');
const log = await ReplicatedLog.open({ directory, clusterId: 'default', nodeId: 'node-1' });
const domain = { kind: 'domain', name: 'shop', placement: 'NEUTRAL', status: 'stopped' };
await log.write({ put: [{ ...domain, generation: 0 }] });
for (let start = 0; start < models.length; start += 500) {
  const part = models.slice(start, start + 500);
  await log.write({ put: part.map((model) => ({ kind: 'model', domain: 'shop', model })) });
}
await log.close();
