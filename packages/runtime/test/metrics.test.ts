import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../src/clock/virtual-clock.js';
import { RuntimeLog } from '../src/log.js';
import { DomainMetrics } from '../src/metrics/domain-metrics.js';
import { MetricStore } from '../src/metrics/metric-store.js';
import { relayBatch } from './support/batches.js';

describe('metrics', () => {
  test('edges count messages, batches and bytes under the eight labels (CL-98, CL-99)', () => {
    const store = new MetricStore(new VirtualClock());
    const metrics = new DomainMetrics(store, 'shop', 'n1');
    const edge = { kind: 'JUNCTION', target: 'j', direction: 'sent', relay: 'out' } as const;
    metrics.meter(edge).count(relayBatch([1, 2, 3]));
    // A node that is built anew goes on with the same series.
    metrics.meter(edge).count(relayBatch([4]));
    const labels = {
      domain: 'shop',
      target_kind: 'JUNCTION',
      target: 'j',
      physical_node_id: 'n1',
      direction: 'sent',
      relay: 'out',
      peer_kind: '-',
      peer: '-',
    };
    const samples = store.samples();
    expect(samples).toContainEqual({
      kind: 'counter',
      name: 'nervix_messages_total',
      labels,
      value: 4,
    });
    expect(samples).toContainEqual({
      kind: 'counter',
      name: 'nervix_batches_total',
      labels,
      value: 2,
    });
    expect(samples).toContainEqual({
      kind: 'counter',
      name: 'nervix_bytes_total',
      labels,
      value: 32,
    });
    const perBatch = samples.find(({ name }) => name === 'nervix_messages_per_batch');
    expect(perBatch).toMatchObject({ kind: 'histogram', sum: 4, count: 2 });
    expect(perBatch?.kind === 'histogram' && perBatch.buckets.slice(0, 3)).toEqual([
      { le: 1, count: 1 },
      { le: 2, count: 1 },
      { le: 5, count: 2 },
    ]);
  });

  test('age is measured where a batch is accepted', () => {
    const store = new MetricStore(new VirtualClock());
    const metrics = new DomainMetrics(store, 'shop', 'n1');
    const edge = { kind: 'JUNCTION', target: 'j', direction: 'received', relay: 'in' } as const;
    metrics
      .receptionMeter(edge)
      .accept(relayBatch([1], { atNanos: 1_000_000_000n }), 1_020_000_000n);
    const latency = store
      .samples({ domain: 'shop' })
      .find(({ name }) => name === 'nervix_delivery_latency_seconds');
    expect(latency).toMatchObject({ kind: 'histogram', sum: 0.02, count: 1 });
  });

  test('series of a domain are forgotten with it', () => {
    const store = new MetricStore(new VirtualClock());
    new DomainMetrics(store, 'shop', 'n1').counter('nervix_x_total', {}).value = 1;
    new DomainMetrics(store, 'other', 'n1').counter('nervix_x_total', {}).value = 2;
    store.forget({ domain: 'shop' });
    expect(store.samples().map(({ labels }) => labels['domain'])).toEqual(['other']);
  });
});

describe('log', () => {
  test('records beyond the bound of a second are counted instead of written', () => {
    const messages: string[] = [];
    let nowMs = 0;
    const log = new RuntimeLog(
      ({ message, fields }) => messages.push(`${message} ${fields['suppressed'] ?? ''}`),
      'info',
      () => nowMs,
    );
    for (let index = 0; index < 250; index += 1) log.warn('failed');
    log.debug('detail');
    log.error('always');
    expect(messages).toHaveLength(201);
    nowMs = 1000;
    log.info('later');
    expect(messages.slice(-2)).toEqual(['log records were left out 50', 'later ']);
  });
});
