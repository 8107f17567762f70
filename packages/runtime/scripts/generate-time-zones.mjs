// Packs a compiled IANA time zone database into source text, so that the rules come with the product
// and not from the host: node scripts/generate-time-zones.mjs <zoneinfo folder> <version>
//
// The folder holds TZif files (RFC 9636) and is expected to have the list of names beside it, in a
// file `zones`, one a line, as the package `tzdata` of the Python index ships them.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const [folder, version] = process.argv.slice(2);
if (folder === undefined || version === undefined) {
  throw new Error('usage: generate-time-zones.mjs <zoneinfo folder> <version>');
}
const target = path.join(import.meta.dirname, '..', 'src', 'datetime');
const HEADER_BYTES = 44;

/** Counts of a TZif header in the order of the format. */
function readHeader(bytes, at) {
  const count = (index) => bytes.readUInt32BE(at + 20 + index * 4);
  return {
    isUt: count(0),
    isStd: count(1),
    leap: count(2),
    time: count(3),
    type: count(4),
    char: count(5),
  };
}

function readZone(name) {
  const bytes = readFileSync(path.join(folder, name));
  const old = readHeader(bytes, 0);
  const start =
    HEADER_BYTES + old.time * 5 + old.type * 6 + old.char + old.leap * 8 + old.isStd + old.isUt;
  const header = readHeader(bytes, start);
  const times = start + HEADER_BYTES;
  const indexes = times + header.time * 8;
  const types = indexes + header.time;
  const names = types + header.type * 6;
  const footer = names + header.char + header.leap * 12 + header.isStd + header.isUt;
  const typeOf = (index) => {
    const at = types + index * 6;
    const from = names + bytes[at + 5];
    const abbreviation = bytes.toString('latin1', from, bytes.indexOf(0, from));
    return `${bytes.readInt32BE(at)} ${abbreviation}`;
  };
  const transitions = Array.from({ length: header.time }, (_, index) => ({
    time: Number(bytes.readBigInt64BE(times + index * 8)),
    type: typeOf(bytes[indexes + index]),
  }));
  return { first: typeOf(0), transitions, rule: bytes.toString('latin1', footer).trim() };
}

/** Text of one zone: types, transitions as steps of base 36 with a letter for the type, rule. */
function packZone({ first, transitions, rule }) {
  const types = [first];
  let before = first;
  let time = 0;
  let steps = '';
  for (const transition of trimmed(transitions, rule)) {
    if (transition.type === before) continue;
    before = transition.type;
    if (!types.includes(before)) types.push(before);
    const step = transition.time - time;
    time = transition.time;
    const isMinutes = step % 60 === 0;
    const letter = String.fromCharCode(65 + types.indexOf(before));
    steps += `${isMinutes ? '' : '.'}${(isMinutes ? step / 60 : step).toString(36)}${letter}`;
  }
  if (types.length > 26) throw new Error('more types than letters');
  return `${types.join(',')}|${steps}|${rule}`;
}

/** From 2008 on most zones follow their rule; the transitions that only repeat it are left out. */
function trimmed(transitions, rule) {
  if (!rule.includes(',')) return transitions;
  const last = transitions.at(-1);
  if (last === undefined || new Date(last.time * 1000).getUTCFullYear() !== 2037)
    return transitions;
  const dates = (year) =>
    transitions
      .filter(({ time }) => new Date(time * 1000).getUTCFullYear() === year)
      .map(({ time, type }) => `${monthly(time)} ${type}`)
      .join();
  let year = 2037;
  while (dates(year - 1) === dates(2037) && year > 1900) year -= 1;
  return transitions.filter(({ time }) => new Date(time * 1000).getUTCFullYear() <= year);
}

/** The month, the week of it, the day of the week and the time of day. */
function monthly(time) {
  const date = new Date(time * 1000);
  const days = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  const isLast = date.getUTCDate() + 7 > days;
  const week = isLast ? 'last' : Math.ceil(date.getUTCDate() / 7);
  return `${date.getUTCMonth()} ${week} ${date.getUTCDay()} ${time % 86_400}`;
}

/** Longest piece of text in a line of source. */
const PIECE = 96;

function literal(text) {
  const pieces = text.match(new RegExp(`.{1,${PIECE}}`, 'gu')) ?? [''];
  return pieces.map((piece) => `'${piece}'`).join(' +\n  ');
}

// `Factory` stands for a clock that nobody has set.
const names = readFileSync(path.join(folder, '..', 'zones'), 'utf8')
  .trim()
  .split('\n')
  .filter((name) => name !== 'Factory');
const packed = new Map();
for (const name of names) {
  const text = packZone(readZone(name));
  packed.set(text, [...(packed.get(text) ?? []), name]);
}
const entries = [...packed].map(([text, sharing]) => `${sharing.join(' ')}|${text}`);
const parts = [[], [], []];
const size = entries.join('').length / parts.length;
let used = 0;
for (const entry of entries) {
  parts[Math.min(Math.floor(used / size), parts.length - 1)].push(entry);
  used += entry.length;
}
for (const [index, part] of parts.entries()) {
  const name = `TIME_ZONES_${index + 1}`;
  const text = [
    `// Made by scripts/generate-time-zones.mjs from version ${version} of the IANA time zone database,`,
    '// which is in the public domain.',
    '',
    `export const ${name}: string =`,
    `  ${literal(part.join(';'))};`,
    '',
  ].join('\n');
  writeFileSync(path.join(target, `time-zones-${index + 1}.ts`), text);
}
