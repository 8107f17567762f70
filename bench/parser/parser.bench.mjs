// What reading NSPL costs: a program of 1 MB, one statement, the first parse of a process, memory,
// growth with the text, and completion inside a long script. Two parsers of SQL written in
// JavaScript do the same beside it on SQL of a tenth of the length. All sides alternate in one run.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { completeAt } from '@nervix/nspl-parser';
import { load, PARSERS } from './parsers.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
/** Length of the long programs of NSPL. */
const BYTES = Number(process.env.BENCH_BYTES ?? 1_000_000);
/** Those of SQL are shorter: its parsers take many seconds for as much, which would not help them. */
const PEER_BYTES = BYTES / 10;
const [OWN, ...PEERS] = PARSERS;
const MEGABYTE = 1_000_000;

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const read = (file) => readFileSync(path.join(import.meta.dirname, file), 'utf8');

/** A program of about `bytes`, whose statements carry numbers so that no two are the same. */
function program(template, bytes) {
  let text = '';
  for (let number = 1; text.length < bytes; number += 1) text += template.replaceAll('$', number);
  return text;
}

const NSPL = read('mixed.nspl');
const SQL = read('mixed.sql');
const STATEMENT = {
  nspl:
    'CREATE JUNCTION priced FROM trips WHERE input.fare > 2.5 UNBRANCHED TO paid INHERIT ALL ' +
    "SET fare = message.fare * 1.2, city = lower(input.city) WHERE output.city != '' " +
    'FLUSH EACH 1s MAX BATCH SIZE 1MiB ON MESSAGE ERROR LOG;',
  sql:
    'SELECT t.id, lower(trim(t.city)) AS city, t.fare * 1.2 AS fare FROM trips AS t ' +
    "WHERE t.fare > 2.5 AND t.city != '' AND t.picked_up >= '2024-01-01 00:00:00' " +
    'ORDER BY t.picked_up DESC LIMIT 1000;',
};

const sides = [
  { name: OWN, language: 'nspl', template: NSPL, bytes: BYTES, parse: await load(OWN) },
  ...(await Promise.all(
    PEERS.map(async (name) => ({
      name,
      language: 'sql',
      template: SQL,
      bytes: PEER_BYTES,
      parse: await load(name),
    })),
  )),
];

function timed(work) {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

/** Runs `measure` for every side in turn, round after round; medians by the side's name. */
function alternate(measure, times = rounds) {
  const found = new Map(sides.map(({ name }) => [name, []]));
  for (let round = 0; round < times; round += 1) {
    for (const side of sides) found.get(side.name).push(measure(side));
  }
  return new Map([...found].map(([name, values]) => [name, { values, median: median(values) }]));
}

function throughput({ template, bytes, parse }) {
  const text = program(template, bytes);
  return text.length / MEGABYTE / (timed(() => parse(text)) / 1_000);
}

/** Microseconds for one statement, over as many as make the clock's grain small. */
function oneStatement({ language, parse }) {
  const count = 500;
  const ms = timed(() => {
    for (let index = 0; index < count; index += 1) parse(STATEMENT[language]);
  });
  return (ms * 1_000) / count;
}

function firstParse({ name, language }) {
  const script = path.join(import.meta.dirname, 'first-parse.mjs');
  const { stdout, stderr } = spawnSync(process.execPath, [script, name, STATEMENT[language]]);
  const ms = Number(String(stdout));
  if (!(ms > 0)) throw new Error(`${name}: ${stderr}`);
  return ms;
}

/**
 * Times the parse of a program takes that of a tenth of it; each the best of several, for pauses of
 * the garbage collector fall on either.
 */
function growth({ template, bytes, parse }) {
  const short = program(template, bytes / 10);
  const long = program(template, bytes);
  const best = (text) => Math.min(...Array.from({ length: 5 }, () => timed(() => parse(text))));
  const perByte = (text) => best(text) / text.length;
  return (perByte(long) / perByte(short)) * 10;
}

/** Text whose models are held at once at the least: less is lost in what the process does besides. */
const HELD_BYTES = 200_000;

/** Megabytes of heap that the models of programs hold, for each MB of text. */
function retained({ template, bytes, parse }) {
  const text = program(template, bytes);
  const count = Math.ceil(HELD_BYTES / text.length);
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  const held = Array.from({ length: count }, () => parse(text));
  globalThis.gc();
  const grown = process.memoryUsage().heapUsed - before;
  if (held.some(({ length }) => length === 0)) throw new Error('nothing was read');
  return grown / (count * text.length);
}

/** Milliseconds of the slowest completion at places all over a script of 100 kB. */
function slowestCompletion() {
  const text = program(NSPL, BYTES / 10);
  let slowest = 0;
  for (let place = 0; place <= 100; place += 1) {
    const offset = Math.floor((text.length * place) / 100);
    slowest = Math.max(
      slowest,
      timed(() => completeAt(text, offset)),
    );
  }
  return slowest;
}

function figure({ bench, unit, goal, digits, isMoreBetter = false }, own, peer) {
  const round = (number) => Number(number.toFixed(digits));
  const range = `${round(Math.min(...own.values))}..${round(Math.max(...own.values))}`;
  console.log(`${bench} beside ${peer.name}: ${range} ${unit} in ${own.values.length} rounds`);
  const value = round(own.median);
  const peerValue = round(peer.median);
  return {
    bench,
    value,
    unit,
    peer: peer.name,
    peer_value: peerValue,
    ratio: Number((value / peerValue).toFixed(3)),
    goal,
    holds: isMoreBetter ? value >= goal : value <= goal,
  };
}

const MEASURED = [
  {
    facts: { bench: 'parser.throughput', unit: 'MB/s', goal: 5, digits: 2, isMoreBetter: true },
    measure: throughput,
  },
  { facts: { bench: 'parser.statement', unit: 'us', goal: 60, digits: 1 }, measure: oneStatement },
  { facts: { bench: 'parser.first-parse', unit: 'ms', goal: 120, digits: 1 }, measure: firstParse },
  { facts: { bench: 'parser.growth-10x', unit: 'x', goal: 11, digits: 2 }, measure: growth },
  {
    facts: { bench: 'parser.retained-heap', unit: 'MB/MB', goal: 40, digits: 1 },
    measure: retained,
  },
];

// Warm code is what is measured, except for the first parse, which has processes of its own.
for (const { template, bytes, parse } of sides) {
  for (let round = 0; round < 5; round += 1) parse(program(template, bytes / 4));
}
const figures = [];
for (const { facts, measure } of MEASURED) {
  const found = alternate(measure);
  const { [OWN]: own, ...peers } = Object.fromEntries(found);
  for (const name of Object.keys(peers)) {
    const bench = `${facts.bench}.${name}`;
    figures.push(figure({ ...facts, bench }, own, { name, ...peers[name] }));
  }
}

slowestCompletion();
const completions = Array.from({ length: rounds }, slowestCompletion);
const [nspl] = sides;
const script = program(NSPL, BYTES / 10);
const reads = Array.from({ length: rounds }, () => timed(() => nspl.parse(script)));
figures.push(
  figure(
    { bench: 'parser.completion', unit: 'ms', goal: 20, digits: 2 },
    { values: completions, median: median(completions) },
    { name: 'parse of the same script', median: median(reads) },
  ),
);
for (const line of figures) console.log(JSON.stringify(line));
