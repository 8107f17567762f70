import type { RaftNode } from '@nervix/consensus';
import type { MetricSample } from '@nervix/runtime/data-plane';

type Role = ReturnType<RaftNode['status']>['role'];

/** The value of a role is its place here. */
const ROLES: readonly Role[] = ['follower', 'preCandidate', 'candidate', 'leader'];

/** Prometheus text (exposition format 0.0.4) of the data plane's and the log's series. */
export function metricsText(
  samples: readonly MetricSample[],
  log: ReturnType<RaftNode['status']>,
): string {
  return samplesText([...samples, ...logSamples(log)]);
}

/** Where the log stands; a position that there is not is -1. */
function logSamples(log: ReturnType<RaftNode['status']>): readonly MetricSample[] {
  const position = (index: bigint | undefined): number =>
    index === undefined || index === 0n ? -1 : Number(index);
  const gauge = (name: string, value: number, labels = {}): MetricSample => ({
    kind: 'gauge',
    name: `nervix_consensus_${name}`,
    labels,
    value,
  });
  return [
    gauge('log_last_index', position(log.lastIndex)),
    gauge('log_snapshot_index', position(log.snapshotIndex)),
    gauge('log_purged_index', position(log.firstIndex - 1n)),
    gauge('log_retained_bytes', log.retainedBytes),
    gauge('term', Number(log.term)),
    gauge('role', ROLES.indexOf(log.role)),
    gauge('commit_index', position(log.commitIndex)),
    gauge('applied_index', position(log.appliedIndex)),
    gauge('store_failed', log.failure === undefined ? 0 : 1),
    gauge('inflight_batches', log.inflightBatches),
    gauge('feature_level', log.level, { kind: 'activated' }),
    gauge('feature_level', log.levels.newest, { kind: 'supported' }),
  ];
}

/** Prometheus text of samples, those of one name together. */
export function samplesText(samples: readonly MetricSample[]): string {
  const families = new Map<string, { readonly type: MetricSample['kind']; lines: string[] }>();
  for (const sample of samples) {
    let family = families.get(sample.name);
    if (family === undefined) {
      family = { type: sample.kind, lines: [] };
      families.set(sample.name, family);
    }
    family.lines.push(...sampleLines(sample));
  }
  const lines: string[] = [];
  for (const [name, { type, lines: series }] of families) {
    lines.push(`# TYPE ${name} ${type}`, ...series);
  }
  return `${lines.join('\n')}\n`;
}

function sampleLines(sample: MetricSample): readonly string[] {
  if (sample.kind !== 'histogram') {
    return [`${sample.name}${labelText(sample.labels)} ${numberText(sample.value)}`];
  }
  const { name, labels } = sample;
  return [
    ...sample.buckets.map(
      ({ le, count }) => `${name}_bucket${labelText({ ...labels, le: numberText(le) })} ${count}`,
    ),
    `${name}_sum${labelText(labels)} ${numberText(sample.sum)}`,
    `${name}_count${labelText(labels)} ${sample.count}`,
  ];
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const members = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return members.length === 0 ? '' : `{${members.join(',')}}`;
}

function escapeLabel(value: string): string {
  return value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  return String(value);
}
