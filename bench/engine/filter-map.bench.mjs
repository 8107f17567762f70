// Filter and map from lines of JSON to lines of JSON, memory to memory, in one thread. The engine
// decodes into columns, runs one compiled program and encodes.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { filterMapLines } from './filter-map-data.mjs';
import * as sides from './filter-map-sides.mjs';
import { measureLines } from './line-workload.mjs';
import { programsOf } from './programs.mjs';

const RECORDS = Number(process.env.BENCH_ROWS ?? 200_000);

/** DuckDB from file to file. */
function duckdb(connection, folder) {
  const [input, target] = ['in.ndjson', 'out.ndjson'].map((name) => path.join(folder, name));
  const statement = `COPY (
    SELECT id, key, upper(value) AS value, amount * 3 AS total
    FROM read_ndjson('${input}', columns = {
      id: 'BIGINT', key: 'VARCHAR', value: 'VARCHAR', amount: 'BIGINT', ts: 'TIMESTAMP'})
    WHERE amount > 500 AND contains(value, 'x')) TO '${target}' (FORMAT JSON)`;
  const run = () => connection.run(statement);
  const texts = async () => {
    await run();
    return sides.textsOf([readFileSync(target)]);
  };
  return { run, texts };
}

await measureLines({
  name: 'filter-map',
  body: filterMapLines(RECORDS),
  records: RECORDS,
  programs: programsOf(sides.EXPRESSIONS, sides.SCHEMA),
  sides,
  duckdb,
  goal: 2.6,
});
