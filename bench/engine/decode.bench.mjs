// What decoding JSON costs: bodies of lines of 100 bytes and of 1 KB, straight into columns. Beside it
// the same bodies become objects with `JSON.parse`, line by line. Both sides alternate in one run, and
// their values are compared first.
import { BatchBuilder, compileDecoder, decodeLines } from '@nervix/runtime';

const rounds = Number(process.env.BENCH_ROUNDS ?? 7);
const seconds = Number(process.env.BENCH_SECONDS ?? 1);
const LINES = 1_000;
const LINE_FEED = 10;
const GOAL = 4;

const field = (name, type) => ({ name, type, optional: false, sensitive: false });
const SHORT = {
  name: 'short',
  fields: [
    field('id', 'I64'),
    field('key', 'STRING'),
    field('amount', 'I32'),
    field('ratio', 'F64'),
  ],
};
const LONG = { name: 'long', fields: [...SHORT.fields, field('note', 'STRING')] };

/** Text of which six in a hundred hold other letters than ASCII, and as many an escape. */
function noteOf(number, length) {
  const words = `note ${number} of a ship that sails on `.repeat(Math.ceil(length / 30));
  const text = words.slice(0, length);
  if (number % 17 === 3) return text.replace('a ship', 'a żółw');
  return number % 17 === 9 ? text.replace('of a', 'of "a"') : text;
}

function recordOf(number, bytes) {
  const record = {
    id: 1_000_000_000 + number * 7919,
    key: `customer-${String(number % 977).padStart(4, '0')}-${'k'.repeat(bytes < 200 ? 22 : 12)}`,
    amount: (number * 37) % 1000,
    ratio: ((number * 13) % 1000) / 8,
  };
  if (bytes < 200) return record;
  return { ...record, note: noteOf(number, bytes - 110) };
}

function bodyOf(bytes) {
  const records = Array.from({ length: LINES }, (_, number) => recordOf(number, bytes));
  return Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

function parseLines(body) {
  const records = [];
  for (let start = 0; start < body.length; ) {
    const end = body.indexOf(LINE_FEED, start);
    records.push(JSON.parse(body.toString('utf8', start, end)));
    start = end + 1;
  }
  return records;
}

function columnsOf(schema) {
  const codec = { name: 'c', format: 'JSON', schema: schema.name, strict: true };
  const decoder = compileDecoder(codec, schema);
  const builder = new BatchBuilder(schema);
  return (body) => {
    const failure = decodeLines(decoder, body, builder);
    if (failure !== undefined) throw new Error(failure.failure.message);
    return builder.finish();
  };
}

function compareValues(batch, records) {
  if (batch.rowCount !== records.length) throw new Error('records were lost');
  records.forEach((record, row) => {
    for (const [name, expected] of Object.entries(record)) {
      const value = batch.value(name, row);
      const found = typeof value === 'bigint' ? Number(value) : value;
      if (found !== expected) throw new Error(`row ${row} has another ${name}`);
    }
  });
}

/** Records a second, over a round's time. */
function rate(decode, body) {
  const startedAt = performance.now();
  let records = 0;
  let elapsed = 0;
  while (elapsed < (seconds * 1_000) / 4) {
    decode(body);
    records += LINES;
    elapsed = performance.now() - startedAt;
  }
  return records / (elapsed / 1_000);
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const range = (values) =>
  `${Math.round(Math.min(...values))}..${Math.round(Math.max(...values))} rec/s`;

function measure(bench, bytes, schema) {
  const body = bodyOf(bytes);
  const decode = columnsOf(schema);
  compareValues(decode(body), parseLines(body));
  const own = [];
  const peer = [];
  rate(decode, body);
  rate(parseLines, body);
  for (let round = 0; round < rounds; round += 1) {
    own.push(rate(decode, body));
    peer.push(rate(parseLines, body));
  }
  console.log(
    `${bench}: ${range(own)}, JSON.parse ${range(peer)}, ${Math.round(body.length / LINES)} bytes a line`,
  );
  const ratio = median(own) / median(peer);
  return {
    bench,
    value: Math.round(median(own)),
    unit: 'rec/s',
    peer: 'JSON.parse of the same lines',
    peer_value: Math.round(median(peer)),
    ratio: Number(ratio.toFixed(2)),
    goal: GOAL,
    holds: ratio >= GOAL,
  };
}

const figures = [
  measure('engine.decode-100', 100, SHORT),
  measure('engine.decode-1k', 1_000, LONG),
];
for (const figure of figures) console.log(JSON.stringify(figure));
