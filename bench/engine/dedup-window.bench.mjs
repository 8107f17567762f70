// Lines of JSON are filtered, repeated keys dropped and the rest gathered in windows of a thousand
// records of each tenant, in one thread, by the kernels of the engine.
import path from 'node:path';
import { dedupWindowLines } from './dedup-window-data.mjs';
import * as sides from './dedup-window-sides.mjs';
import { measureLines } from './line-workload.mjs';
import { programsOf } from './programs.mjs';

const RECORDS = Number(process.env.BENCH_ROWS ?? 200_000) * 2;

/**
 * DuckDB from a file: a copy of a key comes fifteen seconds after the first and the next first one more
 * than a minute later, so that the record before tells which is which.
 */
function duckdb(connection, folder) {
  const statement = `
    WITH read AS (
      SELECT *, row_number() OVER () AS place
      FROM read_ndjson('${path.join(folder, 'in.ndjson')}', columns = {
        key: 'VARCHAR', tenant: 'VARCHAR', marker: 'VARCHAR', amount: 'BIGINT', ts: 'TIMESTAMP'})
    ), timed AS (
      SELECT tenant, amount, place, ts, lag(ts) OVER (PARTITION BY key ORDER BY place) AS earlier
      FROM read WHERE marker <> 'grey'
    ), numbered AS (
      SELECT tenant, amount,
        (row_number() OVER (PARTITION BY tenant ORDER BY place) - 1) // 1000 AS part
      FROM timed WHERE earlier IS NULL OR ts - earlier >= INTERVAL 60 SECOND
    )
    SELECT tenant, count(*) AS rows, CAST(sum(amount) AS BIGINT) AS sum,
      min(amount) AS min, max(amount) AS max, avg(amount) AS avg
    FROM numbered GROUP BY tenant, part HAVING count(*) = 1000`;
  const run = async () => (await connection.runAndReadAll(statement)).getRowObjects();
  return { run, texts: async () => sides.textsOf(await run()) };
}

await measureLines({
  name: 'dedup-window',
  body: dedupWindowLines(RECORDS),
  records: RECORDS,
  programs: {
    ...programsOf(sides.EXPRESSIONS, sides.SCHEMA),
    ...programsOf(sides.WINDOW_EXPRESSIONS, sides.SCHEMA, 'window_set'),
  },
  sides,
  duckdb,
  goal: 3.5,
});
