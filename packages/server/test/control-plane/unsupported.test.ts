import { describe, expect, test } from 'vitest';
import { openWithRelay } from '../support/control-node.ts';

const route = 'TO r FLUSH IMMEDIATE ON MESSAGE ERROR LOG';
const entry = 'TO r UNBRANCHED FLUSH IMMEDIATE ON MESSAGE ERROR LOG ON GENERAL ERROR LOG';
const tail = 'FLUSH IMMEDIATE ON MESSAGE ERROR LOG ON GENERAL ERROR LOG';
const retry = 'RETRY POLICY BACKOFF 1s MAX 2s';
const KAFKA = "CREATE CLIENT k TYPE KAFKA CONFIG {'a' = 'b'};";
const CODEC =
  'CREATE WIRE JSON SCHEMA w MODE STRICT (id INTEGER, tenant STRING); ' +
  'CREATE CODEC c FROM WIRE JSON SCHEMA w TO SCHEMA s;';

/** Definitions that the language has and this release cannot run, and what is said of each. */
const DEFINITIONS: readonly [feature: string, text: string, before?: string][] = [
  ['TYPE KAFKA', KAFKA.slice(0, -1)],
  ['TYPE POSTGRES', 'CREATE CLIENT c TYPE POSTGRES POOL SIZE MIN 0 MAX 4 CONFIG {}'],
  [
    'CREATE SIGNALING PROTOCOL',
    "CREATE SIGNALING PROTOCOL p FORMAT JSON ON CONNECT SEND JAQ '.' TIMEOUT 1s",
  ],
  ['CREATE REORDERER', `CREATE REORDERER o FROM r BY id MAX TIME 1s UNBRANCHED ${route}`],
  [
    'CREATE CORRELATOR',
    'CREATE CORRELATOR o LEFT FROM r RIGHT FROM r CORRELATE WHERE TRUE MATCH EARLIEST ' +
      'MAX TIME 1s ON CORRELATION TIMEOUT DROP, DROP UNBRANCHED ' +
      'TO r SET id = left.id FLUSH IMMEDIATE ON MESSAGE ERROR LOG',
  ],
  [
    'CREATE GENERATOR',
    'CREATE GENERATOR o USING MATERIALIZED STATE r EACH 1s UNBRANCHED ' +
      'TO r SET id = 1 FLUSH IMMEDIATE ON MESSAGE ERROR LOG',
  ],
  [
    'CREATE REINGESTOR',
    'CREATE REINGESTOR o FROM r TO r UNBRANCHED FLUSH IMMEDIATE ON MESSAGE ERROR LOG',
  ],
  [
    'CREATE INFERENCER',
    "CREATE INFERENCER o FROM r USING RESOURCE m VERSION 1 FILE 'f' " +
      "INPUTS {'t' DENSE TENSOR<F32>[BATCH] = id} OUTPUT SCHEMA {'u' DENSE TENSOR<F32>[BATCH]} " +
      `UNBRANCHED ${route}`,
  ],
  [
    'CREATE WASM PROCESSOR',
    "CREATE WASM PROCESSOR o FROM r USING RESOURCE m VERSION 1 FILE 'f' MAX FUEL 1 " +
      'MAX MEMORY 1MiB UNBRANCHED TO r ON MESSAGE ERROR LOG ON GLOBAL ERROR LOG',
  ],
  [
    'FROM SYSLOG',
    `CREATE INGESTOR i FROM SYSLOG k MODE NO_ACK SEQUENTIAL ON QUIESCE DROP DECODE USING c ${entry}`,
    `${KAFKA} ${CODEC}`,
  ],
  [
    'TO KAFKA',
    `CREATE EMITTER e FROM r TO KAFKA k TOPIC t MODE NO_ACK ${retry} ENCODE USING c INHERIT ALL ${tail}`,
    `${KAFKA} ${CODEC}`,
  ],
];

describe('CP-36: what the language has and the node cannot run is refused where it stands', () => {
  test.each(DEFINITIONS)('%s', async (feature, text, before) => {
    const node = await openWithRelay();
    const query = `BEGIN; ${before ?? ''} ${text}; COMMIT;`;
    const error = await node.refuse(query);
    expect(error.message).toContain('not supported by this release');
    const alone = await node.refuse(`${text};`);
    if (before === undefined) {
      expect(alone.code).toBe('UNSUPPORTED_CAPABILITY');
      expect(alone.message).toContain(`${feature} is not supported by this release`);
    }
  });
});

describe('CP-16: statements that the node does not carry out', () => {
  test.each([
    ['PLAN DROP RELAY r', 'PLAN DROP RELAY'],
    ["APPLY PLAN 'p'", 'APPLY PLAN'],
    ['CREATE POOL p', 'CREATE POOL'],
    ['DROP RELAY r WAIT 5s', 'DROP RELAY'],
    ['BACKUP CLUSTER', 'BACKUP CLUSTER'],
  ])('%s', async (text, words) => {
    const node = await openWithRelay();
    const error = await node.refuse(`${text};`);
    expect([error.code, error.message]).toEqual([
      'UNSUPPORTED_CAPABILITY',
      `${words} is not supported by this release`,
    ]);
    expect(error.diagnostics[0]?.span).toEqual({ start: 0, end: text.length + 1 });
  });

  test('14.2: WAIT and ACCEPT STATE LOSS are not queued', async () => {
    const node = await openWithRelay();
    const { execution_reference: transaction } = await node.run('BEGIN;');
    const error = await node.refuse('DROP RELAY r WAIT 5s;', { transaction });
    expect([error.code, error.message]).toEqual([
      'NOT_QUEUEABLE',
      'WAIT and ACCEPT STATE LOSS are not transaction content',
    ]);
  });
});

describe('CP-49: what only a client carries out', () => {
  test.each([
    "BACKUP CLUSTER TO 'f'",
    "RESTORE DOMAIN d FROM 'f'",
    "UPLOAD RESOURCE m VERSION '/m'",
    "ATTACH TRANSACTION 'x'",
    'ATTACH DOMAIN CLOCK',
  ])('%s', async (text) => {
    const node = await openWithRelay();
    const error = await node.refuse(`${text};`);
    expect([error.code, error.message]).toEqual([
      'REQUEST_SHAPE',
      'client-local commands are not allowed',
    ]);
  });

  test.each([
    ['ATTACH DOMAIN CLOCK', 'NOT_QUEUEABLE'],
    ["UPLOAD RESOURCE m VERSION '/m'", 'REQUEST_SHAPE'],
    ["BACKUP CLUSTER TO 'f'", 'REQUEST_SHAPE'],
  ])('in a transaction: %s', async (text, code) => {
    const node = await openWithRelay();
    const { execution_reference: transaction } = await node.run('BEGIN;');
    expect((await node.refuse(`${text};`, { transaction })).code).toBe(code);
  });

  test('a text that is none for anybody is refused as such', async () => {
    const node = await openWithRelay();
    expect((await node.refuse('BACKUP CLUSTER TO f;')).code).toBe('PARSE_FAILED');
  });
});
