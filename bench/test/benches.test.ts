import { spawn } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

interface Figure {
  readonly bench: string;
  readonly value: number;
  readonly unit: string;
  readonly peer: string;
  readonly peer_value: number;
  readonly ratio: number;
  readonly goal: number;
  readonly holds: boolean;
}

const SHORT = {
  BENCH_ROUNDS: '1',
  BENCH_SECONDS: '1',
  BENCH_BYTES: '20000',
  BENCH_CLIENTS: '16',
  BENCH_COMMANDS: '2000',
  BENCH_GRAPH_NODES: '500',
  BENCH_ROWS: '20000',
  BENCH_ENTITIES: '1000',
};

/** Runs a bench as short as possible; whether its goals hold is for real runs to say. */
function runBench(name: string): Promise<readonly Figure[]> {
  const [folder = '', file = folder] = name.split('/');
  const script = path.join(import.meta.dirname, '..', folder, `${file}.bench.mjs`);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--expose-gc', script], {
      env: { ...process.env, ...SHORT },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      errors += String(chunk);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code !== 0) reject(new Error(`${name} ended with ${code}: ${output}${errors}`));
      else resolve(trailingFigures(output));
    });
  });
}

/** The JSON lines that a bench ends with. */
function trailingFigures(output: string): readonly Figure[] {
  const lines = output.trimEnd().split('\n');
  const last = lines.findLastIndex((line) => !line.startsWith('{'));
  return lines.slice(last + 1).map((line) => JSON.parse(line) as Figure);
}

const MEASURED: readonly (readonly [name: string, figures: Readonly<Record<string, string>>])[] = [
  [
    'consensus',
    {
      'consensus.core': 'entries/s',
      'consensus.put256.1-nodes.16-clients': 'commands/s',
      'consensus.put256.1-nodes.16-clients.p99': 'ms',
      'consensus.idle-cpu.1-nodes': '%',
      'consensus.put256.3-nodes.16-clients': 'commands/s',
      'consensus.put256.3-nodes.16-clients.p99': 'ms',
      'consensus.idle-cpu.3-nodes': '%',
    },
  ],
  ['consensus/heap', { 'consensus.heap': 'MB' }],
  ['consensus/recovery', { 'consensus.recovery-1m': 's', 'consensus.recovery-1m-peak-rss': 'MB' }],
  [
    'control-plane',
    {
      'control-plane.first-alter': 'ms',
      'control-plane.one-alter': 'ms',
      'control-plane.running-alter': 'ms',
      'control-plane.growth': 'x',
    },
  ],
  [
    'engine/columns',
    {
      'engine.filter-arithmetic': 'rows/s',
      'engine.text-predicate': 'rows/s',
      'engine.compile-route': 'ms',
    },
  ],
  ['engine/decode', { 'engine.decode-100': 'rec/s', 'engine.decode-1k': 'rec/s' }],
  ['engine/groups', { 'engine.grouped-aggregate': 'rows/s' }],
  ['engine/filter-map', { 'engine.filter-map': 'rec/s', 'engine.filter-map-rss': 'MB' }],
  ['engine/dedup-window', { 'engine.dedup-window': 'rec/s', 'engine.dedup-window-rss': 'MB' }],
  [
    'engine/udf',
    {
      'engine.udf-number': 'us/row',
      'engine.udf-integer': 'us/row',
      'engine.udf-text': 'us/row',
      'engine.udf-one-row': 'us',
    },
  ],
  ['http-ingest', { 'http-ingest.1-per-post': 'rec/s', 'http-ingest.100-per-post': 'rec/s' }],
  [
    'parser',
    {
      'parser.throughput.pgsql-ast-parser': 'MB/s',
      'parser.throughput.node-sql-parser': 'MB/s',
      'parser.statement.pgsql-ast-parser': 'us',
      'parser.statement.node-sql-parser': 'us',
      'parser.first-parse.pgsql-ast-parser': 'ms',
      'parser.first-parse.node-sql-parser': 'ms',
      'parser.growth-10x.pgsql-ast-parser': 'x',
      'parser.growth-10x.node-sql-parser': 'x',
      'parser.retained-heap.pgsql-ast-parser': 'MB/MB',
      'parser.retained-heap.node-sql-parser': 'MB/MB',
      'parser.completion': 'ms',
    },
  ],
  [
    'planner',
    {
      'planner.first-alter': 'ms',
      'planner.one-alter': 'ms',
      'planner.rewiring-alter': 'ms',
      'planner.256-statements': 'ms',
      'planner.commit-preview': 'ms',
      'planner.growth': 'x',
      'planner.first-growth': 'x',
      'planner.peak-rss': 'MB',
    },
  ],
  [
    'scheduler',
    Object.fromEntries(
      ['layered', 'cyclic', 'dense', 'chain', 'star'].flatMap((shape) => [
        [`scheduler.plan.${shape}`, 'ms'],
        [`scheduler.peak-memory.${shape}`, 'MB'],
        [`scheduler.growth.${shape}`, 'times'],
        [`scheduler.changed-rule.${shape}`, 'ms'],
        [`scheduler.changed-rule-p90.${shape}`, 'ms'],
        [`scheduler.changed-rule-slowest.${shape}`, 'ms'],
        [`scheduler.longest-step.${shape}`, 'ms'],
      ]),
    ),
  ],
  ['startup', { 'nervixd.start-to-ready': 'ms', 'nervixd.idle-rss': 'MB' }],
];

describe('every bench ends with its figures as JSON lines', () => {
  test.each(MEASURED)('%s', { timeout: 90_000 }, async (name, units) => {
    const figures = await runBench(name);
    expect(Object.fromEntries(figures.map(({ bench, unit }) => [bench, unit]))).toEqual(units);
    for (const figure of figures) {
      expect(figure.value, figure.bench).toBeGreaterThan(0);
      expect(figure.peer_value, figure.bench).toBeGreaterThan(0);
      expect(figure.ratio).toBeCloseTo(figure.value / figure.peer_value, 1);
      expect(figure.peer).not.toBe('');
      expect(figure.goal).toBeGreaterThan(0);
      expect(typeof figure.holds).toBe('boolean');
    }
  });
});
