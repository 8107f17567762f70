// The sides of the workload dedup-window: three of four markers stay, a key that comes again within a
// minute is dropped, and what is left makes windows of a thousand records of each tenant.
import { BatchBuilder, compileDecoder, decodeLines } from '@nervix/runtime/codec';
import { compileDeduplication, compileProjection, compileWindows } from '@nervix/runtime/engine';
import { field } from './schemas.mjs';

export { loop } from './dedup-window-loop.mjs';

export const SCHEMA = {
  name: 'event',
  fields: [
    field('key', 'STRING'),
    field('tenant', 'STRING'),
    field('marker', 'STRING'),
    field('amount', 'I64'),
    field('ts', 'DATETIME'),
  ],
};

const WINDOW_ROWS = 1000;
const MINUTE_NANOS = 60_000_000_000n;

/** Expressions over records of the schema, by the name of the program. */
export const EXPRESSIONS = {
  where: "marker != 'grey'",
  key: 'key',
  tenant: 'tenant',
  amount: 'amount',
  ts: 'ts',
};

/** Expressions over the records of a window. */
export const WINDOW_EXPRESSIONS = {
  rows: 'COUNT(input.amount)',
  sum: 'SUM(input.amount)',
  min: 'MIN(input.amount)',
  max: 'MAX(input.amount)',
  avg: 'AVG(input.amount)',
};

const NAMES = ['tenant', ...Object.keys(WINDOW_EXPRESSIONS)];

/** Makes a function from blocks of lines to the windows in them of the typed programs. */
export function engine({ where, key, tenant, amount, ts, ...windowFields }) {
  const codec = { name: 'lines', format: 'JSON', schema: 'event', strict: true };
  const decoder = compileDecoder(codec, SCHEMA);
  const builder = new BatchBuilder(SCHEMA);
  const projection = compileProjection({
    input: SCHEMA,
    where,
    fields: { key, tenant, amount, ts },
  });
  const input = projection.output;
  return (blocks) => {
    const deduplication = compileDeduplication({
      input,
      keys: [key],
      time: ts,
      withinNanos: MINUTE_NANOS,
    });
    const windows = compileWindows({
      input,
      keys: { tenant },
      rows: WINDOW_ROWS,
      fields: windowFields,
    });
    const made = [];
    for (const block of blocks) {
      const failure = decodeLines(decoder, block, builder);
      if (failure !== undefined) throw new Error(failure.failure.message);
      const decoded = builder.finish();
      const passed = projection.run(decoded);
      const unique = deduplication.run(passed.batch);
      const { batch, failures } = windows.run(unique.batch);
      const first = [...passed.failures, ...unique.failures, ...failures][0];
      if (first !== undefined) throw new Error(first.detail);
      for (let row = 0; row < batch.rowCount; row += 1) {
        made.push(Object.fromEntries(NAMES.map((name) => [name, batch.value(name, row)])));
      }
      for (const done of [decoded, passed.batch, unique.batch, batch]) done.recycle();
    }
    return made;
  };
}

/** Texts of windows, sorted: equal where the same windows were made. */
export const textsOf = (windows) =>
  windows.map((window) => NAMES.map((name) => String(window[name])).join(' ')).sort();
