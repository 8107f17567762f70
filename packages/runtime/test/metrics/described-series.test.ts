import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { DomainMetrics, type Edge } from '../../src/metrics/domain-metrics.js';
import type { MetricSample } from '../../src/metrics/metric-sample.js';
import { MetricStore } from '../../src/metrics/metric-store.js';
import { relayBatch } from '../support/batches.js';

const JUNCTION_OUT: Edge = { kind: 'JUNCTION', target: 'j', direction: 'sent', relay: 'out' };
const INGESTOR_IN: Edge = { kind: 'INGESTOR', target: 'i', direction: 'received', relay: '-' };

function setUp() {
  const clock = new VirtualClock();
  const store = new MetricStore(clock);
  return { clock, store, metrics: new DomainMetrics(store, 'shop', 'n1') };
}

/** `target direction relay` of each messages counter. */
function messageSeries(samples: readonly MetricSample[]): string[] {
  return samples
    .filter(({ name }) => name === 'nervix_messages_total')
    .map(({ labels }) => `${labels['target']} ${labels['direction']} ${labels['relay']}`)
    .sort();
}

describe('TX-28: counters beside any relay', () => {
  test('a node has both from its instantiation, in descriptions only', () => {
    const { store, metrics } = setUp();
    metrics.meter(JUNCTION_OUT).count(relayBatch([1, 2]));
    expect(messageSeries(metrics.described())).toEqual(['j received -', 'j sent -', 'j sent out']);
    const beside = metrics.described().filter(({ labels }) => labels['relay'] === '-');
    expect(beside.map((sample) => sample.kind === 'counter' && sample.value)).toEqual([0, 0]);
    expect(messageSeries(store.samples())).toEqual(['j sent out']);
  });

  test('one that a node counts by itself is scraped, whichever meter came first', () => {
    const { store, metrics } = setUp();
    metrics.meter({ ...INGESTOR_IN, direction: 'sent', relay: 'out' });
    metrics.payloadMeter(INGESTOR_IN).count(3, 30);
    expect(messageSeries(store.samples())).toEqual(['i received -', 'i sent out']);
    expect(messageSeries(metrics.described())).toEqual(['i received -', 'i sent -', 'i sent out']);
  });

  test('relays have none', () => {
    const { metrics } = setUp();
    metrics.meter({ kind: 'RELAY', target: 'r', direction: 'sent', relay: '-' });
    expect(messageSeries(metrics.described())).toEqual(['r sent -']);
  });
});

describe('CL-100: what descriptions derive', () => {
  test('counters of traffic carry rates, scrapes do not', () => {
    const { clock, store, metrics } = setUp();
    const meter = metrics.meter(JUNCTION_OUT);
    clock.advance(1000);
    meter.count(relayBatch([1, 2, 3]));
    clock.advance(1000);
    meter.count(relayBatch([4]));
    const find = (samples: readonly MetricSample[]) =>
      samples.find(
        ({ name, labels }) => name === 'nervix_messages_total' && labels['relay'] === 'out',
      );
    expect(find(metrics.described())).toMatchObject({
      value: 4,
      derived: {
        wall: { perSec: 2, ema1m: 1, ema15m: 1 },
        domain: { perSec: 4, ema1m: 1, ema15m: 1 },
      },
    });
    for (const sample of store.samples()) expect(sample).not.toHaveProperty('derived');
  });

  test('a node built anew goes on with the rates of its series', () => {
    const { clock, metrics } = setUp();
    metrics.payloadMeter(INGESTOR_IN).count(10, 0);
    clock.advance(2000);
    metrics.payloadMeter(INGESTOR_IN).count(10, 0);
    const messages = metrics.described().find(({ name }) => name === 'nervix_messages_total');
    expect(messages).toMatchObject({ value: 20, derived: { wall: { perSec: 10, ema1m: 5 } } });
  });

  test('histograms of nodes and relay buffers carry windows, batch sizes of relays do not', () => {
    const { metrics } = setUp();
    metrics.meter(JUNCTION_OUT).count(relayBatch([1, 2]));
    metrics
      .receptionMeter({ ...JUNCTION_OUT, direction: 'received', relay: 'in' })
      .accept(relayBatch([1], { atNanos: 0n }), 12_000_000n);
    metrics.relayBuffer('r').observe(3);
    metrics
      .meter({ kind: 'RELAY', target: 'r', direction: 'sent', relay: '-' })
      .count(relayBatch([1]));
    const shown = metrics
      .described()
      .flatMap((sample) =>
        sample.kind === 'histogram'
          ? [
              [
                sample.name.replace('nervix_', ''),
                sample.labels['target'],
                sample.derived?.wall.last1m.values,
              ],
            ]
          : [],
      );
    expect(shown).toEqual([
      ['messages_per_batch', 'j', [2]],
      ['messages_per_batch', 'j', [1]],
      ['delivery_latency_seconds', 'j', [0.012]],
      ['relay_buffer_len', 'r', [3]],
      ['messages_per_batch', 'r', undefined],
    ]);
  });

  test('described samples survive the way to another thread', () => {
    const { metrics } = setUp();
    metrics.meter(JUNCTION_OUT).count(relayBatch([1, 2]));
    expect(structuredClone(metrics.described())).toEqual(metrics.described());
  });
});
