import type { ExecutionPlan } from '@nervix/model';
import { afterEach, beforeEach } from 'vitest';
import {
  createInProcessDataPlane,
  type DataPlane,
  type DataPlaneOptions,
  type LogRecord,
  type MetricSample,
} from '../../src/index.js';
import { Receiver } from './receiver.js';

/** A data plane and a destination, new for every test of a file. */
export interface Harness {
  plane: DataPlane;
  receiver: Receiver;
  logs: LogRecord[];
  failures: Error[];
  /** The client of the destination. */
  clients(): ExecutionPlan['clients'];
  /** Value of the one series with this name and these labels; 0 when there is none. */
  metric(name: string, labels: Record<string, string>): Promise<number>;
}

export function useHarness(options: Partial<DataPlaneOptions> = {}): Harness {
  const harness: Harness = {
    clients: () => [
      { name: 'sink', type: 'HTTP', endpoint: harness.receiver.origin, timeoutMs: 2000 } as const,
    ],
    metric: async (name: string, labels: Record<string, string>) => {
      const samples = await harness.plane.metrics();
      const matches = (sample: MetricSample) =>
        sample.name === name &&
        Object.entries(labels).every(([label, value]) => sample.labels[label] === value);
      const sample = samples.find(matches);
      return sample === undefined || sample.kind === 'histogram' ? 0 : sample.value;
    },
  } as unknown as Harness;
  beforeEach(async () => {
    harness.logs = [];
    harness.failures = [];
    harness.receiver = await Receiver.open();
    harness.plane = await createInProcessDataPlane({
      http: { host: '127.0.0.1', port: 0, maxBodyBytes: 64 * 1024 },
      onLog: (record) => harness.logs.push(record),
      onFailure: (error) => harness.failures.push(error),
      alterationDrainMs: 3000,
      ...options,
    });
  });
  afterEach(async () => {
    await harness.plane.close();
    await harness.receiver.close();
    if (harness.failures.length > 0) throw harness.failures[0];
  });
  return harness;
}
