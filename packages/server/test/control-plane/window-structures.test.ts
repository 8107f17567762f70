import { parseScript } from '@nervix/nspl-parser';
import { expect, test } from 'vitest';
import { windowStructures } from '../../src/control-plane/reads/window-structures.js';

function structuresOf(...set: readonly string[]): readonly (readonly string[])[] {
  const { statements } = parseScript(
    'CREATE WINDOW PROCESSOR w FROM r WIDTH 60s DURATION STEP 20s DURATION MAX STATE SIZE 1MiB ' +
      `UNBRANCHED TO o SET ${set.join(', ')} ON MESSAGE ERROR LOG;`,
  );
  const statement = statements[0]?.statement;
  if (statement?.kind !== 'create_model' || statement.model.kind !== 'window_processor') {
    throw new Error('no window processor was parsed');
  }
  return windowStructures(statement.model);
}

const H = 'PERCENTILE_LINEAR_HISTOGRAM(input.latency,';

test('TX-16 sketches show their storage, and a histogram its settings, once for all percentiles', () => {
  const found = structuresOf(
    `a = ${H} 50, 10, 0, 100, '2s')`,
    `b = ${H} 99.9, 10, 0.0, 100.0, '2s')`,
    `c = ${H} 50, 20, 0, 100, '2s')`,
    'd = APPROX_COUNT_DISTINCT(input.id, 9)',
    'e = APPROX_QUANTILE(input.latency, 50, 64)',
    'f = approx_quantile(input.latency, 99, 64)',
    'g = APPROX_TOP_K(input.id, 3, 64)',
  );
  const histogram = (buckets: number) => [
    ...[`  buckets: ${buckets}`, '  min: 0.0', '  max: 100.0', '  delay: 2s'],
  ];
  const [storage, input] = ['  storage: linear_histogram', '  input: input.latency'];
  const functions = '  functions: PERCENTILE_LINEAR_HISTOGRAM';
  expect(found).toEqual([
    ['structure 0:', functions, storage, '  references: 2', input, ...histogram(10)],
    ['structure 1:', functions, storage, '  references: 1', input, ...histogram(20)],
    [
      ...['structure 2:', '  functions: APPROX_COUNT_DISTINCT', '  storage: hll'],
      ...['  references: 1', '  input: input.id'],
    ],
    [
      ...['structure 3:', '  functions: APPROX_QUANTILE', '  storage: quantile_sketch'],
      ...['  references: 2', '  input: input.latency'],
    ],
    [
      ...['structure 4:', '  functions: APPROX_TOP_K', '  storage: frequent_items'],
      ...['  references: 1', '  input: input.id'],
    ],
  ]);
});
