import type { HistogramSample, MetricSample, ValueSample } from '@nervix/runtime/data-plane';

type Section = 'incoming_edges' | 'outgoing_edges' | 'relay_buffers' | 'input_output' | 'processed';

const RELAY_BUFFER = { name: 'relay_buffer_len', direction: 'concrete' } as const;
const COUNTER_NAMES = ['messages_total', 'batches_total', 'bytes_total'] as const;
const HISTOGRAM_NAMES = ['messages_per_batch', 'delivery_latency_seconds'] as const;

/** The `metrics:` block of one node; empty when it has counted nothing. */
export function nodeMetricsBlock(
  samples: readonly MetricSample[],
  kind: string,
  target: string,
  capacity?: string,
): readonly string[] {
  const own = samples.filter(
    ({ labels }) => labels['target_kind'] === kind && labels['target'] === target,
  );
  if (kind === 'RELAY') {
    const buffers = own.filter(({ name }) => name === 'nervix_relay_buffer_len');
    const lines = buffers.flatMap((sample) =>
      sample.kind === 'histogram' && sample.count > 0
        ? [histogramLine(sample, { ...RELAY_BUFFER, relay: target }, capacity)]
        : [],
    );
    return block([['relay_buffers', lines]]);
  }
  return block([
    ['incoming_edges', edgeLines(own, 'received')],
    ['outgoing_edges', edgeLines(own, 'sent')],
  ]);
}

/** The `metrics:` block of a domain: what came in and went out, and what was processed. */
export function domainMetricsBlock(samples: readonly MetricSample[]): readonly string[] {
  const ofKinds = (kinds: readonly string[]): readonly string[] =>
    summedLines(samples.filter(({ labels }) => kinds.includes(labels['target_kind'] ?? '')));
  return block([
    ['input_output', ofKinds(['INGESTOR', 'EMITTER'])],
    ['processed', ofKinds(['INGESTOR', 'EMITTER', 'JUNCTION', 'DEDUPLICATOR', 'WINDOW_PROCESSOR'])],
  ]);
}

function block(sections: readonly (readonly [Section, readonly string[]])[]): readonly string[] {
  const filled = sections.filter(([, lines]) => lines.length > 0);
  if (filled.length === 0) return [];
  return [
    'metrics:',
    ...filled.flatMap(([name, lines]) => [`  ${name}:`, ...lines.map((line) => `    ${line}`)]),
  ];
}

function edgeLines(samples: readonly MetricSample[], direction: string): readonly string[] {
  const edge = samples.filter(({ labels }) => labels['direction'] === direction);
  const counters = COUNTER_NAMES.flatMap((name) =>
    edge.flatMap((sample) =>
      sample.kind !== 'histogram' && sample.name === `nervix_${name}`
        ? [counterLine(sample, name, direction)]
        : [],
    ),
  );
  const histograms = HISTOGRAM_NAMES.flatMap((name) =>
    edge.flatMap((sample) =>
      sample.kind === 'histogram' && sample.name === `nervix_${name}` && sample.count > 0
        ? [histogramLine(sample, { name, direction, relay: sample.labels['relay'] ?? '-' })]
        : [],
    ),
  );
  return [...counters.sort(byRelay), ...histograms.sort(byRelay)];
}

/** Lines sort by relay, then by metric name. */
function byRelay(left: string, right: string): number {
  const key = (line: string): string => `${/ relay=(\S+)/.exec(line)?.[1] ?? ''} ${line}`;
  return key(left) < key(right) ? -1 : 1;
}

function counterLine(sample: ValueSample, name: string, direction: string): string {
  const { relay = '-', physical_node_id: node = '-' } = sample.labels;
  return counterText({ name, direction, relay, node }, sample.value);
}

interface SeriesIdentity {
  readonly name: string;
  readonly direction: string;
  readonly relay: string;
  readonly node: string;
}

/** Rates need observations over time, which this node does not keep yet: they print as absent. */
function counterText({ name, direction, relay, node }: SeriesIdentity, total: number): string {
  return (
    `${name} ${direction} relay=${relay} physical_node=${node} total=${total} ` +
    'wall_rate_per_sec=- domain_rate_per_sec=- wall_rate_ema_1m_per_sec=- ' +
    'wall_rate_ema_15m_per_sec=- domain_rate_ema_1m_per_sec=- domain_rate_ema_15m_per_sec=-'
  );
}

function histogramLine(
  sample: HistogramSample,
  identity: Omit<SeriesIdentity, 'node'>,
  capacity?: string,
): string {
  const { name, direction, relay } = identity;
  const node = sample.labels['physical_node_id'] ?? '-';
  const windows = ['', 'domain_'].flatMap((prefix) =>
    ['1m', '15m'].flatMap((window) =>
      ['p50', 'p90', 'p99'].map((percentile) => `${prefix}${percentile}_${window}=-`),
    ),
  );
  return [
    `${name} ${direction} relay=${relay} physical_node=${node}`,
    ...(capacity === undefined ? [] : [`capacity=${capacity}`]),
    ...windows,
  ].join(' ');
}

function summedLines(samples: readonly MetricSample[]): readonly string[] {
  const sums = new Map<string, { identity: SeriesIdentity; total: number }>();
  for (const sample of samples) {
    const name = sample.name.replace(/^nervix_/, '');
    if (sample.kind === 'histogram' || !COUNTER_NAMES.some((known) => known === name)) continue;
    const { direction = '-', relay = '-', physical_node_id: node = '-' } = sample.labels;
    const identity = { name, direction, relay, node };
    const key = JSON.stringify(identity);
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, { identity, total: sample.value });
    else sum.total += sample.value;
  }
  return [...sums.values()]
    .map(({ identity, total }) => counterText(identity, total))
    .sort(byRelay);
}
