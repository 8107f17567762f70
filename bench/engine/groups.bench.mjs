// A grouped aggregate over columns of a million rows in memory: count, sum, average and extremes of a
// thousand keys. Beside it a loop over a map that one writes by hand, and DuckDB with one thread over a
// table. Results are compared first, and the sides alternate in one run.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { BatchBuilder, compileWindows } from '@nervix/runtime/engine';
import {
  field,
  meanTimes,
  median,
  processorTime,
  programOf,
  programsOf,
  rateFigure,
  threadTime,
} from './programs.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 9);
const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000);
const BATCH_ROWS = 65_536;
const KEYS = 1000;
const SCHEMA = { name: 'sales', fields: [field('shop', 'STRING'), field('amount', 'I64')] };
const FIELDS = {
  rows: 'COUNT(input.amount)',
  sum: 'SUM(input.amount)',
  avg: 'AVG(input.amount)',
  min: 'MIN(input.amount)',
  max: 'MAX(input.amount)',
};
const NAMES = ['shop', ...Object.keys(FIELDS)];

const shops = Array.from({ length: ROWS }, (_, row) => `shop-${(row * 7919) % KEYS}`);
const amounts = Array.from({ length: ROWS }, (_, row) => (row * 2_654_435_761) % 100_003);

function batchesOf() {
  const builder = new BatchBuilder(SCHEMA);
  const batches = [];
  for (let row = 0; row < ROWS; row += 1) {
    builder.appendRow([shops[row], BigInt(amounts[row])]);
    if (builder.rowCount === BATCH_ROWS || row === ROWS - 1) batches.push(builder.finish());
  }
  return batches;
}

function engine() {
  const batches = batchesOf();
  const keys = { shop: programOf('shop', SCHEMA) };
  const fields = programsOf(FIELDS, SCHEMA, 'window_set');
  return () => {
    const windows = compileWindows({ input: SCHEMA, keys, rows: null, fields });
    for (const batch of batches) windows.run(batch);
    const { batch } = windows.flush();
    return Array.from({ length: batch.rowCount }, (_, row) =>
      Object.fromEntries(NAMES.map((name) => [name, batch.value(name, row)])),
    );
  };
}

function byHand() {
  const groups = new Map();
  for (let row = 0; row < ROWS; row += 1) {
    const shop = shops[row];
    const amount = amounts[row];
    let group = groups.get(shop);
    if (group === undefined) {
      group = { shop, rows: 0, sum: 0, min: amount, max: amount };
      groups.set(shop, group);
    }
    group.rows += 1;
    group.sum += amount;
    if (amount < group.min) group.min = amount;
    if (amount > group.max) group.max = amount;
  }
  return [...groups.values()].map((group) => ({ ...group, avg: group.sum / group.rows }));
}

const textsOf = (groups) =>
  groups.map((group) => NAMES.map((name) => String(group[name])).join(' ')).sort();

function compare(name, found, expected) {
  if (textsOf(found).join('\n') !== textsOf(expected).join('\n'))
    throw new Error(`${name} differs`);
}

async function duckdb(folder) {
  const file = path.join(folder, 'sales.csv');
  writeFileSync(file, shops.map((shop, row) => `${shop},${amounts[row]}\n`).join(''));
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  await connection.run(
    `CREATE TABLE sales AS SELECT * FROM read_csv('${file}',
       columns = {shop: 'VARCHAR', amount: 'BIGINT'}, header = false)`,
  );
  const statement = `SELECT shop, count(amount) AS rows, CAST(sum(amount) AS BIGINT) AS sum,
    avg(amount) AS avg, min(amount) AS min, max(amount) AS max FROM sales GROUP BY shop`;
  return async () => (await connection.runAndReadAll(statement)).getRowObjects();
}

const folder = mkdtempSync(path.join(tmpdir(), 'nervix-bench-'));
try {
  const sides = [
    ['engine', engine(), threadTime],
    ['loop', byHand, threadTime],
    ['DuckDB', await duckdb(folder), processorTime],
  ];
  const times = new Map();
  for (const [name, run] of sides) {
    compare(name, await run(), byHand());
    times.set(name, []);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run, timeOf] of sides) {
      times.get(name).push((await meanTimes(run, timeOf)).processor);
    }
  }
  const [own, peer, other] = sides.map(([name]) => times.get(name));
  console.log(`DuckDB: ${(median(peer) / median(other)).toFixed(2)}x the loop`);
  const figure = rateFigure({
    bench: 'engine.grouped-aggregate',
    rows: ROWS,
    own,
    peer,
    peerName: 'a loop over a map written by hand',
    goal: 1,
  });
  console.log(JSON.stringify(figure));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
