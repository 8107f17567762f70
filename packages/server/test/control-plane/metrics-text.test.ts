import { describe, expect, test } from 'vitest';
import type { metricsText } from '../../src/control-plane/reads/metrics-text.ts';
import { openControlNode, openWithRelay } from '../support/control-node.ts';
import { parsePrometheusText } from '../support/prometheus-text.ts';

type Samples = Parameters<typeof metricsText>[0];

async function familiesOf(samples: Samples): Promise<ReturnType<typeof parsePrometheusText>> {
  const node = await openControlNode();
  node.dataPlane.samples = samples;
  return parsePrometheusText(await node.plane.metricsText());
}

describe('CL-98: the text format', () => {
  test('series of one name stand together below one TYPE line, whatever their order', async () => {
    const sample = (name: string, relay: string, value: number): Samples[number] => ({
      kind: 'counter',
      name,
      labels: { relay },
      value,
    });
    const families = await familiesOf([
      sample('nervix_messages_total', 'a', 1),
      sample('nervix_bytes_total', 'a', 10),
      sample('nervix_messages_total', 'b', 2),
    ]);
    expect(families.get('nervix_messages_total')).toEqual({
      name: 'nervix_messages_total',
      type: 'counter',
      samples: [
        { name: 'nervix_messages_total', labels: new Map([['relay', 'a']]), value: 1 },
        { name: 'nervix_messages_total', labels: new Map([['relay', 'b']]), value: 2 },
      ],
    });
    expect(families.get('nervix_bytes_total')?.samples).toHaveLength(1);
  });

  test('label values may hold quotes, backslashes and line feeds', async () => {
    const odd = 'a "b" \\ c\nd } = , \\n';
    const families = await familiesOf([
      { kind: 'gauge', name: 'nervix_x', labels: { odd }, value: -0.5 },
    ]);
    expect(families.get('nervix_x')?.samples).toEqual([
      { name: 'nervix_x', labels: new Map([['odd', odd]]), value: -0.5 },
    ]);
  });

  test('a histogram has cumulative buckets up to +Inf, a sum and a count', async () => {
    const families = await familiesOf([
      {
        kind: 'histogram',
        name: 'nervix_delivery_latency_seconds',
        labels: { target: 't' },
        buckets: [
          { le: 0.001, count: 1 },
          { le: 1, count: 3 },
          { le: Number.POSITIVE_INFINITY, count: 4 },
        ],
        sum: 12.25,
        count: 4,
      },
    ]);
    const samples = families.get('nervix_delivery_latency_seconds')?.samples ?? [];
    expect(samples.map(({ name, labels, value }) => [name, labels.get('le'), value])).toEqual([
      ['nervix_delivery_latency_seconds_bucket', '0.001', 1],
      ['nervix_delivery_latency_seconds_bucket', '1', 3],
      ['nervix_delivery_latency_seconds_bucket', '+Inf', 4],
      ['nervix_delivery_latency_seconds_sum', undefined, 12.25],
      ['nervix_delivery_latency_seconds_count', undefined, 4],
    ]);
  });

  test.each([1e21, 1e-9, Number.POSITIVE_INFINITY, 2 ** 53, 0])('the value %d', async (value) => {
    const families = await familiesOf([{ kind: 'gauge', name: 'nervix_x', labels: {}, value }]);
    expect(families.get('nervix_x')?.samples[0]?.value).toBe(value);
  });

  test('CS-190: the log is measured without any sample of the data plane', async () => {
    const node = await openWithRelay();
    const families = parsePrometheusText(await node.plane.metricsText());
    const value = (name: string) => families.get(name)?.samples[0]?.value;
    expect(value('nervix_consensus_log_last_index')).toBe(
      Number(node.context.log.status().lastIndex),
    );
    expect(value('nervix_consensus_log_purged_index')).toBe(-1);
    expect(value('nervix_consensus_log_retained_bytes')).toBeGreaterThan(100);
  });
});
