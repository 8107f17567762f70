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

function figure(bench, unit, own, peer) {
  const [value, peerValue] = [own, peer].map((times) => Number(median(times).toPrecision(3)));
  const range = `${Math.min(...own).toPrecision(3)}..${Math.max(...own).toPrecision(3)}`;
  console.log(`${bench}: ${range} ${unit}, a loop of the host ${peerValue} ${unit}`);
  return {
    bench,
    value,
    unit,
    peer: 'the same function in a loop of the host',
    peer_value: peerValue,
  };
}

function perRow([bench, type, body, valueOf]) {
  const udfs = functionsOf(type, body);
  const column = Array.from({ length: ROWS }, (_, row) => valueOf(row));
  const own = () => udfs.call('f', [column], ROWS, CONTEXT);
  const byHand = () => column.map(body);
  const expected = byHand();
  if (!own().every((value, row) => value === expected[row])) throw new Error(bench);
  const [ownTimes, peerTimes] = alternate(rounds, [own, byHand]);
  const perRowMicros = (times) => times.map((ms) => (ms * 1000) / ROWS);
  return figure(bench, 'us/row', perRowMicros(ownTimes), perRowMicros(peerTimes));
}

function perBatch() {
  const [, type, body] = CASES[0];
  const udfs = functionsOf(type, body);
  const [own, peer] = alternate(rounds, [
    () => udfs.call('f', [[1]], 1, CONTEXT),
    () => [1].map(body),
  ]);
  const micros = (times) => times.map((ms) => ms * 1000);
  return figure('engine.udf-one-row', 'us', micros(own), micros(peer));
}

const figures = [...CASES.map(perRow), perBatch()];
for (const each of figures) console.log(JSON.stringify(each));
