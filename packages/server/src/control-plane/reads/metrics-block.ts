import type {
  CounterRates,
  DistributionWindows,
  HistogramSample,
  MetricSample,
  ValueSample,
} from '@nervix/runtime/data-plane';
import {
  mergedDistribution,
  percentileOf,
  percentileText,
  rateText,
  summedRates,
} from './metric-figures.js';

type Section = 'incoming_edges' | 'outgoing_edges' | 'relay_buffers' | 'input_output' | 'processed';

const COUNTER_NAMES = ['messages_total', 'batches_total', 'bytes_total'];
const HISTOGRAM_NAMES = ['messages_per_batch', 'delivery_latency_seconds'];
const BUFFER_NAME = 'relay_buffer_len';

/** One line of a block: what it is about, and the samples whose figures it shows together. */
interface SeriesGroup {
  /** Without the prefix that all series share. */
  readonly name: string;
  readonly direction: string;
  readonly relay: string;
  readonly node: string;
  readonly peerKind: string;
  readonly peer: string;
  readonly counters: readonly ValueSample[];
  readonly histograms: readonly HistogramSample[];
}

/** The `metrics:` block of one node; empty when there is nothing to show. */
export function nodeMetricsBlock(
  samples: readonly MetricSample[],
  kind: string,
  target: string,
  capacity?: string,
): readonly string[] {
  const own = samples.filter(
    ({ labels }) => labels['target_kind'] === kind && labels['target'] === target,
  );
  if (kind === 'RELAY') return block([['relay_buffers', bufferLines(own, target, capacity)]]);
  const groups = own.filter(isDescribed).map((sample) => groupOf([sample]));
  const ofDirection = (wanted: string): readonly string[] =>
    sectionLines(groups.filter(({ direction }) => direction === wanted));
  return block([
    ['incoming_edges', ofDirection('received')],
    ['outgoing_edges', ofDirection('sent')],
  ]);
}

/**
 * The `metrics:` block of a domain: what came in and went out, and what was processed. Empty while
 * nothing was counted.
 */
export function domainMetricsBlock(samples: readonly MetricSample[]): readonly string[] {
  const traffic = samples.filter(isDescribed);
  const isCounted = (sample: MetricSample): boolean =>
    (sample.kind === 'histogram' ? sample.count : sample.value) > 0;
  if (!traffic.some(isCounted)) return [];
  const isAtBorder = ({ labels }: MetricSample): boolean =>
    labels['target_kind'] === 'INGESTOR' || labels['target_kind'] === 'EMITTER';
  return block([
    ['input_output', sectionLines(summedGroups(traffic.filter(isAtBorder)))],
    ['processed', sectionLines(summedGroups(traffic))],
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

/** Whether a sample belongs to the traffic of a node that a description shows. */
function isDescribed(sample: MetricSample): boolean {
  const { target_kind: kind, direction } = sample.labels;
  if (kind === undefined || kind === 'RELAY') return false;
  const name = nameOf(sample);
  if (sample.kind === 'histogram') return HISTOGRAM_NAMES.includes(name);
  // An emitter's bytes are those it sends; what it takes from a relay is counted in rows.
  if (kind === 'EMITTER' && direction === 'received' && name === 'bytes_total') return false;
  return COUNTER_NAMES.includes(name);
}

function nameOf({ name }: MetricSample): string {
  return name.replace(/^nervix_/, '');
}

function groupOf(samples: readonly [MetricSample, ...MetricSample[]]): SeriesGroup {
  const [first] = samples;
  const { direction, relay, physical_node_id: node, peer_kind: peerKind, peer } = first.labels;
  return {
    name: nameOf(first),
    direction: direction ?? '-',
    relay: relay ?? '-',
    node: node ?? '-',
    peerKind: peerKind ?? '-',
    peer: peer ?? '-',
    counters: samples.filter((sample) => sample.kind !== 'histogram'),
    histograms: samples.filter((sample) => sample.kind === 'histogram'),
  };
}

/** One group for all samples of the same physical node, relay, direction and metric. */
function summedGroups(samples: readonly MetricSample[]): readonly SeriesGroup[] {
  const sums = new Map<string, [MetricSample, ...MetricSample[]]>();
  for (const sample of samples) {
    const { direction, relay, physical_node_id: node } = sample.labels;
    const key = JSON.stringify([node, relay, direction, sample.name]);
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, [sample]);
    else sum.push(sample);
  }
  return [...sums.values()].map(groupOf);
}

/** Counters first, then the histograms that have observed anything. */
function sectionLines(groups: readonly SeriesGroup[]): readonly string[] {
  const sorted = [...groups].sort(inSectionOrder);
  const counters = sorted.filter((group) => group.counters.length > 0);
  const histograms = sorted.filter((group) => group.histograms.some(({ count }) => count > 0));
  return [...counters.map(counterLine), ...histograms.map((group) => histogramLine(group))];
}

function inSectionOrder(left: SeriesGroup, right: SeriesGroup): number {
  for (const part of ['node', 'relay', 'peerKind', 'peer', 'direction', 'name'] as const) {
    if (left[part] !== right[part]) return left[part] < right[part] ? -1 : 1;
  }
  return 0;
}

function bufferLines(
  samples: readonly MetricSample[],
  relay: string,
  capacity: string | undefined,
): readonly string[] {
  return samples
    .filter((sample) => nameOf(sample) === BUFFER_NAME)
    .map((sample) => ({ ...groupOf([sample]), direction: 'concrete', relay }))
    .filter(({ histograms }) => histograms.some(({ count }) => count > 0))
    .sort(inSectionOrder)
    .map((group) => histogramLine(group, capacity));
}

function counterLine(group: SeriesGroup): string {
  const total = group.counters.reduce((sum, { value }) => sum + value, 0);
  const { wall, domain } = ratesOf(group.counters);
  return [
    ...identityFields(group),
    `total=${total}`,
    `wall_rate_per_sec=${rateText(wall.perSec)}`,
    `domain_rate_per_sec=${rateText(domain.perSec)}`,
    `wall_rate_ema_1m_per_sec=${rateText(wall.ema1m)}`,
    `wall_rate_ema_15m_per_sec=${rateText(wall.ema15m)}`,
    `domain_rate_ema_1m_per_sec=${rateText(domain.ema1m)}`,
    `domain_rate_ema_15m_per_sec=${rateText(domain.ema15m)}`,
  ].join(' ');
}

function ratesOf(counters: readonly ValueSample[]): CounterRates {
  return summedRates(counters.flatMap(({ derived }) => (derived === undefined ? [] : [derived])));
}

function histogramLine(group: SeriesGroup, capacity?: string): string {
  const windows = group.histograms.flatMap(({ derived }) =>
    derived === undefined ? [] : [derived],
  );
  return [
    ...identityFields(group),
    ...(capacity === undefined ? [] : [`capacity=${capacity}`]),
    ...percentileFields(
      '',
      windows.map(({ wall }) => wall),
    ),
    ...percentileFields(
      'domain_',
      windows.map(({ domain }) => domain),
    ),
  ].join(' ');
}

function identityFields({ name, direction, relay, node }: SeriesGroup): readonly string[] {
  return [name, direction, `relay=${relay}`, `physical_node=${node}`];
}

function percentileFields(
  prefix: string,
  windows: readonly DistributionWindows[],
): readonly string[] {
  return (['1m', '15m'] as const).flatMap((window) => {
    const merged = mergedDistribution(windows.map((parts) => parts[`last${window}`]));
    return [50, 90, 99].map(
      (percent) =>
        `${prefix}p${percent}_${window}=${percentileText(percentileOf(merged, percent))}`,
    );
  });
}
