// What decoding JSON costs: bodies of lines of 100 bytes and of 1 KB, straight into columns. Beside it
// the same bodies become objects with `JSON.parse`, line by line. Both sides alternate in one run, and
// their values are compared first.
import { BatchBuilder, compileDecoder, decodeLines } from '@nervix/runtime/codec';
import { field, median, threadTime } from './programs.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 7);
const seconds = Number(process.env.BENCH_SECONDS ?? 1);
const LINES = 1_000;
/** Bodies between two looks at the clock of the thread, which goes in steps of some milliseconds. */
const BODIES_A_LOOK = 5;
const LINE_FEED = 10;
const GOAL = 4;

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

/** Records a second by the processor time of this thread and by the clock, over a round's time. */
function rates(decode, body) {
  const [threadAt, clockAt] = [threadTime(), performance.now()];
  let records = 0;
  let elapsed = 0;
  while (elapsed < (seconds * 1_000) / 4) {
    for (let count = 0; count < BODIES_A_LOOK; count += 1) decode(body);
    records += LINES * BODIES_A_LOOK;
    elapsed = threadTime() - threadAt;
  }
  const perSecond = (milliseconds) => (records / milliseconds) * 1_000;
  return { processor: perSecond(elapsed), clock: perSecond(performance.now() - clockAt) };
}

const range = (values) =>
  `${Math.round(Math.min(...values))}..${Math.round(Math.max(...values))} rec/s`;

function measure(bench, bytes, schema) {
  const body = bodyOf(bytes);
  const decode = columnsOf(schema);
  compareValues(decode(body), parseLines(body));
  const decodeAndRecycle = (lines) => decode(lines).recycle();
  rates(decodeAndRecycle, body);
  rates(parseLines, body);
  const own = [];
  const peer = [];
  for (let round = 0; round < rounds; round += 1) {
    own.push(rates(decodeAndRecycle, body));
    peer.push(rates(parseLines, body));
  }
  const of = (side, kind) => side.map((each) => each[kind]);
  const ratioBy = (kind) => median(of(own, kind)) / median(of(peer, kind));
  const ratio = ratioBy('processor');
  console.log(
    `${bench}: ${range(of(own, 'processor'))}, JSON.parse ${range(of(peer, 'processor'))}, ` +
      `${Math.round(body.length / LINES)} bytes a line, ${ratio.toFixed(2)}x, ` +
      `${ratioBy('clock').toFixed(2)}x by the clock`,
  );
  return {
    bench,
    value: Math.round(median(of(own, 'processor'))),
    unit: 'rec/s',
    peer: 'JSON.parse of the same lines',
    peer_value: Math.round(median(of(peer, 'processor'))),
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
