// What planning a list of statements costs in running domains of 100, 1,000 and 10,000 models: a first
// ALTER in a domain that was never seen, one ALTER of many in turn, one that lets records flow otherwise,
// 256 statements, and those again as COMMIT plans them. Every size has a process of its own; all times
// are processor time, so that other work on the machine does not count.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { printLimitFigure } from '../limit-figure.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const ENTITIES = Number(process.env.BENCH_ENTITIES ?? 10_000);

function measured(entities) {
  const script = path.join(import.meta.dirname, 'one-size.mjs');
  const args = [script, String(entities), String(rounds)];
  const { stdout, stderr } = spawnSync(process.execPath, args);
  if (String(stdout) === '') throw new Error(String(stderr));
  return JSON.parse(String(stdout));
}

const sizes = [ENTITIES / 100, ENTITIES / 10, ENTITIES];
const results = sizes.map(measured);
for (const [index, { first, one, rewired, many, again, megabytes }] of results.entries()) {
  const times = [first, one, rewired, many, again]
    .map((ms) => `${ms.toFixed(1).padStart(9)} ms`)
    .join(' ');
  console.log(`${String(sizes[index]).padStart(6)} models ${times} ${megabytes.toFixed(0)} MB`);
}
const [, tenth, whole] = results;

printLimitFigure('planner.first-alter', whole.first, 'ms', 1_000);
printLimitFigure('planner.one-alter', whole.one, 'ms', 30);
printLimitFigure('planner.rewiring-alter', whole.rewired, 'ms', 100);
printLimitFigure('planner.256-statements', whole.many, 'ms', 1_500);
printLimitFigure('planner.commit-preview', whole.again, 'ms', 1_500);
printLimitFigure('planner.growth', whole.one / tenth.one, 'x', 12, 'a tenth of the domain', 10);
printLimitFigure(
  'planner.first-growth',
  whole.first / tenth.first,
  'x',
  12,
  'a tenth of the domain',
  10,
);
printLimitFigure('planner.peak-rss', whole.megabytes, 'MB', 400);
