import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { checkLinearizability } from '../../../src/simulation/linearizability.ts';
import { eventually } from './eventually.ts';
import { HistoryClients } from './history.ts';
import { ProcessCluster, type ProcessClusterOptions } from './process-cluster.ts';
import { SmallDisk } from './small-disk.ts';

/** Seed of what the clients ask for. */
export const SEED: number = Number(process.env['CLUSTER_SEED'] ?? 1);
const CLIENTS = 6;
/** Commands without an answer may take effect at any later time, which makes many orders. */
const CHECK_STEPS = 20_000_000;
/** Room for two of the largest files that a store of a test has, and for as much again. */
const SMALL_DISK_BYTES = 48 * 1_024 * 1_024;

/** A running cluster that is gone when the test ends. */
export async function startCluster(
  options: Partial<ProcessClusterOptions> = {},
): Promise<ProcessCluster> {
  const directory = mkdtempSync(join(tmpdir(), 'nervix-cluster-'));
  const made = await ProcessCluster.create({ size: 3, directory, ...options });
  onTestFinished(async () => {
    await made.close();
    await rm(directory, { recursive: true, force: true });
  });
  await made.start();
  return made;
}

/** A small disk for each of these processes; gone when the test ends. */
export async function smallDisks(...numbers: readonly number[]): Promise<Map<number, SmallDisk>> {
  const root = mkdtempSync(join(tmpdir(), 'nervix-disk-'));
  const disks = new Map<number, SmallDisk>();
  // What is registered first is done last: the cluster has ended by then.
  onTestFinished(async () => {
    for (const disk of disks.values()) await disk.close();
    await rm(root, { recursive: true, force: true });
  });
  for (const number of numbers) {
    disks.set(number, await SmallDisk.create(join(root, `n${number}`), SMALL_DISK_BYTES));
  }
  return disks;
}

/** Lets clients work for so long. */
export async function working(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Resolves when so many changes more were acknowledged; returns how long that took in ms. */
export async function progress(clients: HistoryClients, changes = 50): Promise<number> {
  const before = clients.acknowledged;
  const started = performance.now();
  await eventually(() => clients.acknowledged >= before + changes, 'acknowledged changes');
  return performance.now() - started;
}

/** Runs clients beside the faults, then waits for the cluster to settle and judges the history. */
export async function surviving(
  made: ProcessCluster,
  faults: (clients: HistoryClients) => Promise<void>,
): Promise<void> {
  const clients = new HistoryClients(made, SEED);
  clients.start(CLIENTS);
  try {
    await working(300);
    await faults(clients);
    await progress(clients, 20);
  } finally {
    await clients.stop();
  }
  await made.settled();
  expect(checkLinearizability(clients.operations, CHECK_STEPS)).toEqual({ kind: 'linearizable' });
}
