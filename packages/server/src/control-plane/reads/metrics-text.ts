import type { RaftNode } from '@nervix/consensus';
import type { MetricSample } from '@nervix/runtime/data-plane';

/** Prometheus text (exposition format 0.0.4) of the data plane's and the log's series. */
export function metricsText(
  samples: readonly MetricSample[],
  log: ReturnType<RaftNode['status']>,
): string {
  const families = new Map<string, { readonly type: MetricSample['kind']; lines: string[] }>();
  for (const sample of samples) {
    let family = families.get(sample.name);
    if (family === undefined) {
      family = { type: sample.kind, lines: [] };
      families.set(sample.name, family);
    }
    family.lines.push(...sampleLines(sample));
  }
  const gauges: readonly (readonly [string, number])[] = [
    ['nervix_consensus_log_last_index', Number(log.lastIndex)],
    ['nervix_consensus_log_purged_index', Number(log.firstIndex) - 1],
    ['nervix_consensus_log_retained_bytes', log.retainedBytes],
  ];
  const lines: string[] = [];
  for (const [name, { type, lines: series }] of families) {
    lines.push(`# TYPE ${name} ${type}`, ...series);
  }
  for (const [name, value] of gauges) lines.push(`# TYPE ${name} gauge`, `${name} ${value}`);
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
