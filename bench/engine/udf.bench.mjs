// What UDFs in ECMAScript cost: a row of a batch of a thousand, for numbers, integers of 64 bits and
// texts, beside the same functions called in a loop of the host; and a batch of one row, which is what
// entering a guest costs. Results are compared first.
import { DomainUdfs } from '@nervix/runtime';
import { alternate, median } from './programs.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 9);
const ROWS = Number(process.env.BENCH_ROWS ?? 1000);

const CONTEXT = { nowNanos: 0n, randomBytes: (count) => new Uint8Array(count) };

const CASES = [
  ['engine.udf-number', 'F64', (x) => x * 1.8 + 32, (row) => row / 2],
  ['engine.udf-integer', 'I64', (x) => x * 2n + 1n, (row) => BigInt(row) << 40n],
  ['engine.udf-text', 'STRING', (x) => x.toUpperCase(), (row) => `user-${row}`],
];

function functionsOf(type, body) {
  const declared = { type, optional: false };
  return new DomainUdfs([
    {
      name: 'f',
      language: 'ECMASCRIPT_2023',
      arguments: [{ name: 'x', ...declared }],
      returns: declared,
      volatile: false,
      code: `const f = ${body};`,
    },
  ]);
}

/** How many times as long as the host's compiler an interpreter may take. */
const ROW_GOAL = 100;
const BATCH_GOAL = 1000;

function figure({ bench, unit, goal }, own, peer) {
  const [value, peerValue] = [own, peer].map((times) => Number(median(times).toPrecision(3)));
  const ratio = Number((value / peerValue).toFixed(2));
  const range = `${Math.min(...own).toPrecision(3)}..${Math.max(...own).toPrecision(3)}`;
  console.log(`${bench}: ${range} ${unit}, a loop of the host ${peerValue} ${unit}`);
  return {
    bench,
    value,
    unit,
    peer: 'the same function in a loop of the host',
    peer_value: peerValue,
    ratio,
    goal,
    holds: ratio <= goal,
  };
}

function perRow([bench, type, body, valueAt]) {
  const udfs = functionsOf(type, body);
  const column = Array.from({ length: ROWS }, (_, row) => valueAt(row));
  const own = () => udfs.call('f', [column], ROWS, CONTEXT);
  const byHand = () => column.map(body);
  const expected = byHand();
  if (!own().every((value, row) => value === expected[row])) throw new Error(bench);
  const micros = (times) => times.map((ms) => (ms * 1000) / ROWS);
  const [ownTimes, peerTimes] = alternate(rounds, [own, byHand]);
  return figure({ bench, unit: 'us/row', goal: ROW_GOAL }, micros(ownTimes), micros(peerTimes));
}

function perBatch() {
  const [, type, body] = CASES[0];
  const udfs = functionsOf(type, body);
  const micros = (times) => times.map((ms) => ms * 1000);
  const [own, peer] = alternate(rounds, [
    () => udfs.call('f', [[1]], 1, CONTEXT),
    () => [1].map(body),
  ]);
  const facts = { bench: 'engine.udf-one-row', unit: 'us', goal: BATCH_GOAL };
  return figure(facts, micros(own), micros(peer));
}

const figures = [...CASES.map(perRow), perBatch()];
for (const each of figures) console.log(JSON.stringify(each));
