// Filter and map from lines of JSON to lines of JSON, memory to memory, in one thread: records whose
// value holds an x and whose amount is above 500 leave with their value in upper case and a total. The
// engine decodes into columns, runs one compiled program and encodes. Beside it the loop that one
// writes by hand, and DuckDB with one thread, on the same lines. Outputs are compared by value.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { BatchBuilder, compileDecoder, compileEncoder, decodeLines } from '@nervix/runtime';
import { compileProjection } from '@nervix/runtime/engine';
import { blocksOf, filterMapLines } from './filter-map-data.mjs';
import { field, median, processorTime, programOf, threadTime } from './programs.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const RECORDS = Number(process.env.BENCH_ROWS ?? 200_000);
const BLOCK_BYTES = 128 * 1024;
const LINE_FEED = 10;
const GOAL = 2.6;

const SCHEMA = {
  name: 'event',
  fields: [
    field('id', 'I64'),
    field('key', 'STRING'),
    field('value', 'STRING'),
    field('amount', 'I64'),
    field('ts', 'DATETIME'),
  ],
};

/** Joins parts to one buffer that grows. */
class Output {
  #bytes = new Uint8Array(1 << 20);
  #length = 0;

  add(part) {
    const needed = this.#length + part.length + 1;
    if (needed > this.#bytes.length) {
      const grown = new Uint8Array(needed * 2);
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(part, this.#length);
    this.#length += part.length;
    this.#bytes[this.#length++] = LINE_FEED;
  }

  take() {
    const bytes = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return bytes;
  }
}

function engine() {
  const codec = { name: 'lines', format: 'JSON', schema: 'event', strict: true };
  const decoder = compileDecoder(codec, SCHEMA);
  const builder = new BatchBuilder(SCHEMA);
  const projection = compileProjection({
    input: SCHEMA,
    where: programOf("amount > 500 AND contains(value, 'x')", SCHEMA),
    fields: {
      id: programOf('id', SCHEMA),
      key: programOf('key', SCHEMA),
      value: programOf('upper(value)', SCHEMA),
      total: programOf('amount * 3', SCHEMA),
    },
  });
  const encoder = compileEncoder({ ...codec, schema: 'out' }, projection.output);
  const output = new Output();
  return (blocks) => {
    const written = [];
    for (const block of blocks) {
      const failure = decodeLines(decoder, block, builder);
      if (failure !== undefined) throw new Error(failure.failure.message);
      const { batch, failures } = projection.run(builder.finish());
      if (failures.length > 0) throw new Error(failures[0].detail);
      for (let row = 0; row < batch.rowCount; row += 1) output.add(encoder.encode(batch, row));
      written.push(output.take());
    }
    return written;
  };
}

function loop(blocks) {
  const written = [];
  for (const block of blocks) {
    const text = block.toString();
    let out = '';
    for (let start = 0; start < text.length; ) {
      const end = text.indexOf('\n', start);
      const record = JSON.parse(text.slice(start, end));
      start = end + 1;
      if (record.amount <= 500 || !record.value.includes('x')) continue;
      const { id, key, value, amount } = record;
      out += `${JSON.stringify({ id, key, value: value.toUpperCase(), total: amount * 3 })}\n`;
    }
    written.push(Buffer.from(out));
  }
  return written;
}

const QUERY = `
  SELECT id, key, upper(value) AS value, amount * 3 AS total
  FROM read_ndjson('$in', columns = {
    id: 'BIGINT', key: 'VARCHAR', value: 'VARCHAR', amount: 'BIGINT', ts: 'TIMESTAMP'})
  WHERE amount > 500 AND contains(value, 'x')`;

const recordsOf = (parts) =>
  Buffer.concat(parts)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

function compare(name, found, expected) {
  const [left, right] = [found, expected].map((records) =>
    records.map(({ id, key, value, total }) => JSON.stringify([id, key, value, total])).sort(),
  );
  if (left.length !== right.length) throw new Error(`${name}: ${left.length} of ${right.length}`);
  const at = left.findIndex((text, index) => text !== right[index]);
  if (at >= 0) throw new Error(`${name}: ${left[at]} is not ${right[at]}`);
}

const folder = mkdtempSync(path.join(tmpdir(), 'nervix-bench-'));
try {
  const body = filterMapLines(RECORDS);
  const [input, target] = ['in.ndjson', 'out.ndjson'].map((name) => path.join(folder, name));
  writeFileSync(input, body);
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  const copy = `COPY (${QUERY.replace('$in', input)}) TO '${target}' (FORMAT JSON)`;
  const blocks = blocksOf(body, BLOCK_BYTES);
  const own = engine();

  const expected = recordsOf(loop(blocks));
  compare('engine', recordsOf(own(blocks)), expected);
  await connection.run(copy);
  compare('DuckDB', recordsOf([readFileSync(target)]), expected);
  const bytes = Math.round(body.length / RECORDS);
  console.log(`${RECORDS} records of ${bytes} bytes, ${expected.length} pass`);

  const sides = [
    ['engine', () => own(blocks), threadTime],
    ['loop', () => loop(blocks), threadTime],
    ['DuckDB', () => connection.run(copy), processorTime],
  ];
  const times = new Map(sides.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run, timeOf] of sides) {
      const startedAt = timeOf();
      await run();
      times.get(name).push(timeOf() - startedAt);
    }
  }
  const rate = (name) => (RECORDS / median(times.get(name))) * 1000;
  for (const [name] of sides) {
    const all = times.get(name).map((each) => Math.round(RECORDS / each));
    console.log(
      `${name}: ${Math.round(rate(name))} rec/s (${Math.min(...all)}..${Math.max(...all)} k), ` +
        `${(rate(name) / rate('loop')).toFixed(2)}x the loop`,
    );
  }
  const ratio = rate('engine') / rate('loop');
  console.log(
    JSON.stringify({
      bench: 'engine.filter-map',
      value: Math.round(rate('engine')),
      unit: 'rec/s',
      peer: 'a loop of JSON.parse and JSON.stringify written by hand',
      peer_value: Math.round(rate('loop')),
      ratio: Number(ratio.toFixed(2)),
      goal: GOAL,
      holds: ratio >= GOAL,
    }),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
