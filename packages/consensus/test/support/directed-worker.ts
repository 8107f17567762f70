import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type CoreModules,
  DIRECTED_SCHEDULES,
  type DirectedSchedule,
} from './directed-schedules.ts';

const [source = '', schedule = ''] = process.argv.slice(2);

async function load(file: string): Promise<unknown> {
  return import(pathToFileURL(path.join(source, file)).href);
}

const modules = {
  raft: await load('raft/raft.ts'),
  options: await load('raft/raft-options.ts'),
  codec: await load('raft/configuration-codec.ts'),
  chain: await load('simulation/chain.ts'),
} as CoreModules;
const problem = DIRECTED_SCHEDULES[schedule as DirectedSchedule](modules);
process.stdout.write(`${JSON.stringify({ kind: 'schedule', problem: problem ?? null })}\n`);
