import { expect, test } from 'vitest';
import { completeAt, format, parseScript, printStatement } from '../src/index.ts';

/** Least processor time of some runs of everything that is done with a text, in milliseconds. */
function costOf(text: string): number {
  const runs = Array.from({ length: 3 }, () => {
    const began = process.cpuUsage();
    const { statements, errors } = parseScript(text);
    expect(errors).toEqual([]);
    for (const { statement } of statements) printStatement(statement, { withSecrets: true });
    expect(format(text).kind).toBe('formatted');
    completeAt(text, text.length);
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1_000;
  });
  return Math.min(...runs);
}

const numbered = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join('');
const listed = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(', ');

const sink = (name: string, into: string, count: number): string =>
  `CREATE EMITTER e FROM a TO ${name} c INSERT TO ${into} t ` +
  `VALUES {${listed(count, (index) => `'c${index}' = 1`)}, 'other' = 2} ` +
  `ON CONFLICT (${listed(count, (index) => `'c${index}'`)}) DO UPDATE ` +
  'MODE ACK RETRY POLICY BACKOFF 1s MAX 2s BATCH MAX MESSAGES 1 MAX SIZE 1B ' +
  'FLUSH IMMEDIATE ON MESSAGE ERROR LOG ON GENERAL ERROR LOG';

/** Texts with something of which there may be many, by how many there are. */
const GROWING: readonly [name: string, text: (count: number) => string][] = [
  ['columns of a conflict', (count) => sink('POSTGRES', 'TABLE', count)],
  ['mapped columns of a conflict', (count) => sink('MONGODB', 'COLLECTION', count)],
  [
    'tags of dollar quotes inside a string',
    (count) =>
      `CREATE USER u WITH PASSWORD $q$'"$s$ ${numbered(count, (index) => `$s_${index + 1}$ `)}$q$`,
  ],
  ['comments before a statement', (count) => `${'// x\n'.repeat(count * 10)}STOP;`],
  ['comments behind a statement', (count) => `STOP;\n${'// x\n'.repeat(count * 10)}`],
  ['comments inside a statement', (count) => `STOP\n${'// x\n'.repeat(count * 10)};`],
  ['fields', (count) => `CREATE SCHEMA s (${listed(count, (index) => `f${index} U8`)})`],
  ['hosts', (count) => `CREATE VHOST v ${listed(count, (index) => `h${index}.example`)}`],
  [
    'fields that are left out',
    (count) =>
      `CREATE JUNCTION j FROM a UNBRANCHED TO b INHERIT ALL EXCEPT ` +
      `${listed(count, (index) => `f${index}`)} FLUSH IMMEDIATE ON MESSAGE ERROR LOG`,
  ],
  [
    'members of a rebinding',
    (count) => `REBIND RESOURCE r TO VERSION 1 FOR ${listed(count, (index) => `CODEC c${index}`)}`,
  ],
  [
    'values of a branch',
    (count) =>
      'RESET WASM PROCESSOR p STATE IN DOMAIN d FOR BRANCH VALUES ' +
      `{${listed(count, (index) => `f${index} = ${index}`)}}`,
  ],
  ['operations', (count) => `ALTER SCHEMA s ${listed(count, (index) => `DROP FIELD f${index}`)}`],
  [
    'overrides of a relocation',
    (count) =>
      'RELOCATE RELAY a ONTO NODE n FOLLOW PREFERENCES ' +
      listed(count, (index) => `FOR RELAY r${index} IGNORE PREFERENCES`),
  ],
  [
    'config entries',
    (count) =>
      `CREATE CLIENT c TYPE HTTP CONFIG {${listed(count, (index) => `'k${index}' = 'v'`)}}`,
  ],
];

/** Processor time below which the clock and the collector say more than the text. */
const NOISE_MS = 150;

test.each(GROWING)(
  'NSPL 15.6: four times as many %s cost far less than sixteen times',
  (_name, text) => {
    const few = costOf(text(2_500));
    const many = costOf(text(10_000));
    expect(many).toBeLessThan(few * 9 + NOISE_MS);
  },
);
