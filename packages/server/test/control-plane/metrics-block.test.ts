import type { MetricSample } from '@nervix/runtime';
import { describe, expect, test } from 'vitest';
import {
  domainMetricsBlock,
  nodeMetricsBlock,
} from '../../src/control-plane/reads/metrics-block.ts';
import { metricsText } from '../../src/control-plane/reads/metrics-text.ts';

type Labels = Record<string, string>;
type Counter = Extract<MetricSample, { readonly kind: 'counter' | 'gauge' }>;
type Histogram = Extract<MetricSample, { readonly kind: 'histogram' }>;
type Distribution = NonNullable<Histogram['derived']>['wall']['last1m'];

const NO_AVERAGES = { ema1m: null, ema15m: null };

function counter(
  name: string,
  labels: Labels,
  value: number,
  rate: { wall: number; domain?: number; ema1m?: number; ema15m?: number },
): Counter {
  const averages =
    rate.ema1m === undefined
      ? NO_AVERAGES
      : { ema1m: rate.ema1m, ema15m: rate.ema15m ?? rate.ema1m };
  return {
    kind: 'counter',
    name: `nervix_${name}`,
    labels: { target_kind: 'JUNCTION', target: 'j', physical_node_id: 'n1', ...labels },
    value,
    derived: {
      wall: { perSec: rate.wall, ...averages },
      domain: { perSec: rate.domain ?? null, ...averages },
    },
  };
}

function histogram(
  name: string,
  labels: Labels,
  last1m: Distribution,
  last15m: Distribution = last1m,
): Histogram {
  const count = last15m.counts.reduce((sum, part) => sum + part, 0);
  const windows = { last1m, last15m };
  return {
    kind: 'histogram',
    name: `nervix_${name}`,
    labels: { target_kind: 'JUNCTION', target: 'j', physical_node_id: 'n1', ...labels },
    buckets: [{ le: Number.POSITIVE_INFINITY, count }],
    sum: 0,
    count,
    derived: { wall: windows, domain: windows },
  };
}

const once = (...values: number[]): Distribution => ({ values, counts: values.map(() => 1) });
const NOTHING = once();

/** What a line says after its identity. */
function figures(block: readonly string[], start: string): string {
  const line = block.find((candidate) => candidate.trim().startsWith(start));
  return line?.trim().slice(start.length + 1) ?? '';
}

function rates(figure: { wall: string; domain?: string; ema1m?: string; ema15m?: string }): string {
  const { wall, domain = '-', ema1m = '-', ema15m = ema1m } = figure;
  return (
    `wall_rate_per_sec=${wall} domain_rate_per_sec=${domain} ` +
    `wall_rate_ema_1m_per_sec=${ema1m} wall_rate_ema_15m_per_sec=${ema15m} ` +
    `domain_rate_ema_1m_per_sec=${ema1m} domain_rate_ema_15m_per_sec=${ema15m}`
  );
}

function windows(figure1m: readonly string[], figure15m = figure1m): string {
  const fields = (prefix: string, window: string, texts: readonly string[]): string =>
    ['p50', 'p90', 'p99']
      .map((name, index) => `${prefix}${name}_${window}=${texts[index]}`)
      .join(' ');
  return [
    fields('', '1m', figure1m),
    fields('', '15m', figure15m),
    fields('domain_', '1m', figure1m),
    fields('domain_', '15m', figure15m),
  ].join(' ');
}

describe('the metrics block of a node', () => {
  test('TX-26, TX-28, TX-29: sections, order and lines', () => {
    const received = { direction: 'received', relay: 'in' };
    const sent = { direction: 'sent', relay: 'out' };
    const block = nodeMetricsBlock(
      [
        histogram('messages_per_batch', received, once(1, 10)),
        histogram('delivery_latency_seconds', received, once(0.012)),
        counter('messages_total', received, 7, { wall: 0.5, domain: 1, ema1m: 2 / 3, ema15m: 2 }),
        counter('bytes_total', received, 700, { wall: 50 }),
        counter('batches_total', received, 3, { wall: 0.25 }),
        counter('messages_total', sent, 4, { wall: 1234.567891 }),
        counter('messages_total', { ...received, relay: '-' }, 0, { wall: 0 }),
        counter('messages_total', { ...sent, relay: '-' }, 0, { wall: 0 }),
        histogram('messages_per_batch', sent, NOTHING),
        counter('messages_total', { ...sent, target: 'other' }, 9, { wall: 9 }),
      ],
      'JUNCTION',
      'j',
    );
    const node = 'physical_node=n1';
    expect(block).toEqual([
      'metrics:',
      '  incoming_edges:',
      `    messages_total received relay=- ${node} total=0 ${rates({ wall: '0' })}`,
      `    batches_total received relay=in ${node} total=3 ${rates({ wall: '0.25' })}`,
      `    bytes_total received relay=in ${node} total=700 ${rates({ wall: '50' })}`,
      `    messages_total received relay=in ${node} total=7 ` +
        rates({ wall: '0.5', domain: '1', ema1m: '0.666667', ema15m: '2' }),
      `    delivery_latency_seconds received relay=in ${node} ` +
        windows(['0.012', '0.012', '0.012']),
      `    messages_per_batch received relay=in ${node} ${windows(['1.0', '10.0', '10.0'])}`,
      '  outgoing_edges:',
      `    messages_total sent relay=- ${node} total=0 ${rates({ wall: '0' })}`,
      `    messages_total sent relay=out ${node} total=4 ${rates({ wall: '1234.567891' })}`,
    ]);
  });

  test('TX-26: the physical node, then the relay, then the peer come before the name', () => {
    const of = (node: string, relay: string, peer: string, name: string) =>
      counter(name, { direction: 'sent', relay, peer, physical_node_id: node }, 1, { wall: 1 });
    const block = nodeMetricsBlock(
      [
        of('n2', 'a', '-', 'bytes_total'),
        of('n1', 'b', '-', 'bytes_total'),
        of('n1', 'a', 'y', 'bytes_total'),
        of('n1', 'a', 'x', 'messages_total'),
        of('n1', 'B', '-', 'messages_total'),
      ],
      'JUNCTION',
      'j',
    );
    expect(block.slice(2).map((line) => line.trim().split(' ').slice(0, 4).join(' '))).toEqual([
      'messages_total sent relay=B physical_node=n1',
      'messages_total sent relay=a physical_node=n1',
      'bytes_total sent relay=a physical_node=n1',
      'bytes_total sent relay=b physical_node=n1',
      'bytes_total sent relay=a physical_node=n2',
    ]);
  });

  test('TX-30: after a quiet minute only the long window has percentiles', () => {
    const received = { direction: 'received', relay: 'in' };
    const block = nodeMetricsBlock(
      [histogram('messages_per_batch', received, NOTHING, once(10))],
      'JUNCTION',
      'j',
    );
    expect(figures(block, 'messages_per_batch received relay=in physical_node=n1')).toBe(
      windows(['-', '-', '-'], ['10.0', '10.0', '10.0']),
    );
  });

  test('TX-28: an emitter counts bytes where it sends only', () => {
    const emitter = { target_kind: 'EMITTER', relay: 'in' };
    const block = nodeMetricsBlock(
      (['received', 'sent'] as const).flatMap((direction) => [
        counter('messages_total', { ...emitter, direction }, 1, { wall: 1 }),
        counter('bytes_total', { ...emitter, direction }, 1, { wall: 1 }),
      ]),
      'EMITTER',
      'j',
    );
    expect(block.map((line) => line.trim().split(' ').slice(0, 2).join(' '))).toEqual([
      'metrics:',
      'incoming_edges:',
      'messages_total received',
      'outgoing_edges:',
      'bytes_total sent',
      'messages_total sent',
    ]);
  });

  test('TX-29: a relay shows its buffer with its capacity, and no traffic', () => {
    const relay = { target_kind: 'RELAY', target: 'r', direction: 'received', relay: '-' };
    const samples = [
      counter('messages_total', relay, 5, { wall: 1 }),
      histogram('messages_per_batch', relay, once(5)),
      histogram('relay_buffer_len', relay, { values: [0, 2, 3], counts: [50, 49, 1] }),
    ];
    expect(nodeMetricsBlock(samples, 'RELAY', 'r', '64')).toEqual([
      'metrics:',
      '  relay_buffers:',
      '    relay_buffer_len concrete relay=r physical_node=n1 capacity=64 ' +
        windows(['0.0', '2.0', '2.0']),
    ]);
    expect(nodeMetricsBlock(samples, 'RELAY', 'other', '64')).toEqual([]);
  });

  test.each([
    [0, '0'],
    [1, '1'],
    [0.5, '0.5'],
    [1234.5678914, '1234.567891'],
    [100, '100'],
    [1e-9, '0'],
  ])('TX-30: the rate %d', (rate, text) => {
    const sent = { direction: 'sent', relay: 'out' };
    const block = nodeMetricsBlock(
      [counter('messages_total', sent, 1, { wall: rate })],
      'JUNCTION',
      'j',
    );
    expect(figures(block, 'messages_total sent relay=out physical_node=n1 total=1')).toBe(
      rates({ wall: text }),
    );
  });

  test.each([
    [0, '0.0'],
    [1, '1.0'],
    [10, '10.0'],
    [99.84, '99.8'],
    [0.012, '0.012'],
    [0.5, '0.5'],
    [0.1234567, '0.123457'],
    [0.9999999, '1.0'],
  ])('TX-30: the percentile %d', (value, text) => {
    const sent = { direction: 'sent', relay: 'out' };
    const block = nodeMetricsBlock(
      [histogram('messages_per_batch', sent, once(value))],
      'JUNCTION',
      'j',
    );
    expect(figures(block, 'messages_per_batch sent relay=out physical_node=n1')).toBe(
      windows([text, text, text]),
    );
  });
});

describe('TX-27: the metrics block of a domain', () => {
  const received = { direction: 'received', relay: 'in' };

  test('totals and rates add; percentiles are those of all observations', () => {
    const other = { ...received, target_kind: 'EMITTER', target: 'e' };
    const block = domainMetricsBlock([
      counter('messages_total', received, 7, { wall: 0.5, domain: 1, ema1m: 2 }),
      counter('messages_total', other, 5, { wall: 0.25 }),
      counter('messages_total', { ...received, relay: '-' }, 0, { wall: 0 }),
      counter('messages_total', { ...other, relay: '-' }, 0, { wall: 0 }),
      histogram('messages_per_batch', received, { values: [1, 2], counts: [60, 20] }),
      histogram('messages_per_batch', other, { values: [2, 9], counts: [15, 5] }),
      counter('messages_total', { ...received, target_kind: 'RELAY' }, 99, { wall: 9 }),
      { kind: 'gauge', name: 'nervix_branch_instances', labels: {}, value: 3 },
    ]);
    const node = 'physical_node=n1';
    expect(block).toEqual([
      'metrics:',
      '  input_output:',
      `    messages_total received relay=- ${node} total=0 ${rates({ wall: '0' })}`,
      `    messages_total received relay=in ${node} total=5 ${rates({ wall: '0.25' })}`,
      `    messages_per_batch received relay=in ${node} ${windows(['2.0', '9.0', '9.0'])}`,
      '  processed:',
      `    messages_total received relay=- ${node} total=0 ${rates({ wall: '0' })}`,
      `    messages_total received relay=in ${node} total=12 ` +
        rates({ wall: '0.75', domain: '1', ema1m: '2' }),
      `    messages_per_batch received relay=in ${node} ${windows(['1.0', '2.0', '9.0'])}`,
    ]);
  });

  test('physical nodes stay apart', () => {
    const block = domainMetricsBlock([
      counter('messages_total', received, 1, { wall: 1 }),
      counter('messages_total', { ...received, physical_node_id: 'n2' }, 2, { wall: 2 }),
    ]);
    expect(block.slice(2).map((line) => /physical_node=\S+ total=\d+/.exec(line)?.[0])).toEqual([
      'physical_node=n1 total=1',
      'physical_node=n2 total=2',
    ]);
  });

  test('it is absent while nothing was counted', () => {
    expect(domainMetricsBlock([counter('messages_total', received, 0, { wall: 0 })])).toEqual([]);
  });
});

test('CL-98: a scrape shows nothing that is derived', () => {
  const levels = { oldest: 1, newest: 1 };
  const log = { lastIndex: 1n, firstIndex: 1n, retainedBytes: 1, levels } as Parameters<
    typeof metricsText
  >[1];
  const labels = { direction: 'sent', relay: 'out' };
  const samples = [
    counter('messages_total', labels, 4, { wall: 77, ema1m: 77 }),
    histogram('messages_per_batch', labels, once(4)),
  ];
  const bare = samples.map(({ derived: _derived, ...sample }) => sample as MetricSample);
  expect(metricsText(samples, log)).toBe(metricsText(bare, log));
});
