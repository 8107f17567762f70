/** One parsed sample of the text format. */
export interface ParsedSample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

export interface ParsedFamily {
  readonly name: string;
  readonly type: string;
  readonly samples: readonly ParsedSample[];
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*/;
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|(?=\}))/;
const VALUE = /^(?:\+Inf|-Inf|NaN|[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;
const TYPE = /^# TYPE (\S+) (counter|gauge|histogram|summary|untyped)$/;

/**
 * Reads the Prometheus text format strictly: a family is declared once and its samples follow it,
 * a series stands once, the text ends with a line feed.
 */
export function parsePrometheusText(text: string): ReadonlyMap<string, ParsedFamily> {
  if (!text.endsWith('\n')) throw new Error('the text does not end with a line feed');
  const families = new Map<string, ParsedFamily & { samples: ParsedSample[] }>();
  const series = new Set<string>();
  let current: { name: string; type: string; samples: ParsedSample[] } | undefined;
  for (const line of text.slice(0, -1).split('\n')) {
    if (line.startsWith('#')) {
      const [, name = '', type = ''] = TYPE.exec(line) ?? [];
      if (name === '') continue;
      if (families.has(name)) throw new Error(`${name} is declared twice`);
      current = { name, type, samples: [] };
      families.set(name, current);
      continue;
    }
    const sample = parseSample(line);
    const base =
      current?.type === 'histogram' ? sample.name.replace(/_(bucket|sum|count)$/, '') : sample.name;
    if (current === undefined || base !== current.name) throw new Error(`stray sample: ${line}`);
    const identity = `${sample.name} ${JSON.stringify([...sample.labels].sort())}`;
    if (series.has(identity)) throw new Error(`series stands twice: ${identity}`);
    series.add(identity);
    current.samples.push(sample);
  }
  return families;
}

function parseSample(line: string): ParsedSample {
  const name = NAME.exec(line)?.[0] ?? '';
  let rest = line.slice(name.length);
  const labels = new Map<string, string>();
  if (rest.startsWith('{')) {
    rest = rest.slice(1);
    while (!rest.startsWith('}')) {
      const [all, label, value = ''] = LABEL.exec(rest) ?? [];
      if (all === undefined || label === undefined) throw new Error(`bad labels: ${line}`);
      if (labels.has(label)) throw new Error(`label stands twice: ${line}`);
      labels.set(
        label,
        value.replace(/\\(.)/g, (_match, escaped: string) => (escaped === 'n' ? '\n' : escaped)),
      );
      rest = rest.slice(all.length);
    }
    rest = rest.slice(1);
  }
  const value = rest.slice(1);
  if (name === '' || !rest.startsWith(' ') || !VALUE.test(value)) {
    throw new Error(`bad sample: ${line}`);
  }
  return { name, labels, value: value.endsWith('Inf') ? Number(`${value}inity`) : Number(value) };
}
