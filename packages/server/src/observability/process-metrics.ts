import { memoryUsage } from 'node:process';
import { getHeapStatistics } from 'node:v8';
import type { EventLoopLateness } from './event-loop-lateness.js';
import type { SessionCounts } from './session-counts.js';

/** Prometheus text of the series of this process. */
export interface ProcessMetrics {
  text(): Promise<string>;
}

/** The gauges of memory, under the names that existing dashboards know. */
function memoryLevels(): readonly (readonly [name: string, help: string, bytes: number])[] {
  const { heapUsed, heapTotal, external, rss } = memoryUsage();
  const { malloced_memory: malloced } = getHeapStatistics();
  return [
    ['allocated', 'heap in use and external memory', heapUsed + external],
    ['active', 'heap and external memory', heapTotal + external],
    ['mapped', 'resident set', rss],
    ['metadata', 'memory the engine allocated for itself', malloced],
    ['resident', 'resident set', rss],
    ['retained', 'heap held but not in use', heapTotal - heapUsed],
  ];
}

/** Makes the series of this process. */
export async function createProcessMetrics(
  lateness: EventLoopLateness,
  session: SessionCounts,
): Promise<ProcessMetrics> {
  // Loaded by the first scrape: a node that nobody scrapes does not pay for it.
  const { Counter, Gauge, Registry } = await import('prom-client');
  const registry = new Registry();
  const registers = [registry];
  const gauges = memoryLevels().map(
    ([name, help]) => new Gauge({ name: `nervix_jemalloc_${name}_bytes`, help, registers }),
  );
  const delay = new Counter({
    name: 'nervix_node_scheduler_delay_seconds_total',
    help: 'time that event loop timers fired late',
    registers,
  });
  const samples = new Counter({
    name: 'nervix_node_scheduler_samples_total',
    help: 'samples of event loop lateness',
    registers,
  });
  const peak = new Gauge({
    name: 'nervix_node_scheduler_delay_peak_seconds',
    help: 'largest sampled event loop lateness',
    registers,
  });
  const connections = new Gauge({
    name: 'nervix_session_connections',
    help: 'open connections of the session listener',
    labelNames: ['transport'],
    registers,
  });
  const requests = new Counter({
    name: 'nervix_session_requests_total',
    help: 'requests that the session listener answered, by what they got',
    labelNames: ['request', 'result'],
    registers,
  });
  return {
    text: () => {
      for (const [index, [, , bytes]] of memoryLevels().entries()) gauges[index]?.set(bytes);
      const totals = lateness.totals();
      delay.reset();
      delay.inc(totals.delaySeconds);
      samples.reset();
      samples.inc(totals.samples);
      peak.set(totals.peakSeconds);
      connections.set({ transport: 'http' }, session.connections - session.sessions);
      connections.set({ transport: 'websocket' }, session.sessions);
      requests.reset();
      for (const { count, ...labels } of session.requests()) requests.inc(labels, count);
      return registry.metrics();
    },
  };
}
