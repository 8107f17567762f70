import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const SCRIPT = path.join(import.meta.dirname, '..', 'scheduler', 'one-plan.mjs');

/** Plans a generated domain in a process of its own: processor time and peak memory. */
function planned(shape: string, graphNodes: number, rules: number, clusterNodes: number) {
  const args = [SCRIPT, shape, ...[graphNodes, rules, clusterNodes].map(String)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  const { ms, megabytes } = JSON.parse(stdout) as { ms: number; megabytes: number };
  return { ms, megabytes };
}

test('PS-79 10,000 graph nodes, 300 cluster nodes, 1,000 rules: 3 s of processor, 384 MiB', {
  timeout: 120_000,
}, () => {
  const { ms, megabytes } = planned('layered', 10_000, 1_000, 300);
  expect(ms).toBeLessThan(3_000);
  expect(megabytes).toBeLessThan(402);
});

test('PS-79 10,000 graph nodes, 64 cluster nodes, 500 rules: 2 s of processor, 256 MiB', {
  timeout: 120_000,
}, () => {
  const { ms, megabytes } = planned('cyclic', 10_000, 500, 64);
  expect(ms).toBeLessThan(2_000);
  expect(megabytes).toBeLessThan(268);
});
