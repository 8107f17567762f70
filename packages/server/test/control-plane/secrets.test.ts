import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type ControlNode, openControlNode, openWithRelay } from '../support/control-node.ts';

const CANARY = 'canary4711';
const SECRET_KEYS =
  'password sasl.password ssl.key.password token secret access_key_id secret_access_key ' +
  'session_token account_key sas_token client_secret connection_string credentials_json dsn ' +
  'my_passwd signing_key tls.key';

/** Configs of HTTP clients with the canary in each place for a secret. */
const CONFIGS: readonly string[] = [
  ...SECRET_KEYS.split(' ').map((key) => `'endpoint' = 'http://h', '${key}' = '${CANARY}'`),
  `'endpoint' = 'http://h', 'addr' = 'http://me:${CANARY}@h'`,
  `'endpoint' = 'http://h', 'uri' = 'nats://a:${CANARY}@h,nats://${CANARY}@i'`,
];

/** Statements with the canary, of which some are refused. */
function statements(name: string): readonly string[] {
  const base = [
    ...CONFIGS.map((config, index) => `CLIENT ${name}${index} TYPE HTTP CONFIG {${config}}`),
    `CLIENT ${name}_o TYPE OTEL CONFIG {'headers' = 'a: ${CANARY}'}`,
    `USER ${name} WITH PASSWORD '${CANARY}'`,
  ].flatMap((text) => [`CREATE ${text}`, `CREATE IF NOT EXISTS ${text}`]);
  const all = [...base, `ALTER USER ${name} SET PASSWORD '${CANARY}'`];
  return all.flatMap((text) => [text, `${text} WAIT 1s`, `PLAN ${text}`, `EXPLAIN ${text}`]);
}

/** What a node has told and keeps that is not made for the canary. */
async function everythingShown(node: ControlNode): Promise<string> {
  const asked: string[] = [];
  for (const [, { kind, name }] of node.state.models('d')) {
    asked.push(`SHOW CREATE ${kind} ${name};`, `DESCRIBE ${kind} ${name};`);
  }
  asked.push('SHOW TRANSACTIONS;', 'SHOW INGESTORS;', 'DESCRIBE DOMAIN;');
  const replies: unknown[] = [];
  for (const query of asked) replies.push(await node.execute(query));
  const references = [...node.state.references()];
  const documents = [node.plane.entities('d'), node.plane.domains()];
  return JSON.stringify([replies, references, documents, node.logLines]);
}

describe('CL-114: a canary in every secret slot', () => {
  test('reaches no reply, read, record of an execution or log line', async () => {
    const node = await openWithRelay();
    const replies: unknown[] = [];
    for (const query of statements('x')) replies.push(await node.execute(`${query};`));
    const outcomes = replies.map((reply) => (reply as { kind: string }).kind);
    expect(outcomes.filter((kind) => kind === 'completed').length).toBeGreaterThan(CONFIGS.length);
    expect(JSON.stringify(replies)).not.toContain(CANARY);
    expect(await everythingShown(node)).not.toContain(CANARY);
  });

  test('nor those of a transaction, before and behind its COMMIT', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    const replies: unknown[] = [];
    // A type that this release does not run would fail the COMMIT.
    for (const query of statements('x').filter((text) => !text.includes('OTEL'))) {
      replies.push(await node.execute(`${query};`, { transaction }));
    }
    expect(JSON.stringify(replies)).not.toContain(CANARY);
    expect(await everythingShown(node)).not.toContain(CANARY);
    const committed = await node.run('COMMIT;', { transaction });
    expect(JSON.stringify(committed)).not.toContain(CANARY);
    expect(node.state.models('d').size).toBeGreaterThan(CONFIGS.length);
    expect(await everythingShown(node)).not.toContain(CANARY);
  });

  test('a refused text is not quoted', async () => {
    const node = await openWithRelay();
    for (const query of [
      `CREATE USER x WITH PASSWORD ${CANARY};`,
      `CREATE USER x WITH '${CANARY}';`,
      `CREATE CLIENT c TYPE HTTP CONFIG {'password' '${CANARY}'};`,
      `CREATE CLIENT c TYPE HTTP CONFIG {'addr' 'http://a:${CANARY}@h'};`,
      `CREATE CLIENT c TYPE HTTP CONFIG {'endpoint' = 'http://a:${CANARY}@h'};`,
    ]) {
      expect(JSON.stringify(await node.refuse(query))).not.toContain(CANARY);
    }
    expect(node.logLines.join('')).not.toContain(CANARY);
  });

  test('what asks for it gets it', async () => {
    const node = await openWithRelay();
    for (const query of statements('x')) await node.execute(`${query};`);
    const shown = await node.text('SHOW CREATE CLIENT x0 WITH SECRETS;');
    expect(shown).toContain(`'password' = '${CANARY}'`);
    const copy = await openControlNode();
    await copy.run('CREATE DOMAIN d;');
    await copy.run(shown);
    expect(copy.state.models('d').get('client/x0')).toEqual(
      node.state.models('d').get('client/x0'),
    );
  });

  test.each(['', 'BEGIN; '])('CP-11: no digest is made of a password: %s', async (before) => {
    const node = await openWithRelay();
    const text = `CREATE USER x WITH PASSWORD '${CANARY}';`;
    await node.execute(before + text);
    const digests = [...node.state.references()].map(({ digest }) => digest);
    for (const guess of [text, text.slice(0, -1), text.replace(CANARY, '')]) {
      expect(digests).not.toContain(createHash('sha256').update(guess).digest('hex'));
    }
  });

  test('CP-11: another literal secret of a client is another command', async () => {
    const node = await openWithRelay();
    const execution_reference = node.reference();
    const text = `CREATE CLIENT c TYPE HTTP CONFIG {${CONFIGS[0]}};`;
    await node.run(text, { execution_reference });
    const error = await node.refuse(text.replace(CANARY, 'other'), { execution_reference });
    expect(error.code).toBe('EXECUTION_REFERENCE_CONFLICT');
    expect((await node.run(text, { execution_reference })).origin).toBe('Recovered');
  });
});

describe('CL-114: a text that holds a redacted secret is not executed', () => {
  const message = "the password of user 'x' is redacted; give the password itself";
  test.each([
    ["CREATE USER X WITH PASSWORD '<redacted>'", "'<redacted>'"],
    ['CREATE IF NOT EXISTS USER x WITH PASSWORD $$<redacted>$$', '$<redacted>$'],
    ['ALTER USER x SET PASSWORD "<redacted>"', '"<redacted>"'],
    ["CREATE USER x WITH PASSWORD '<redacted>' WAIT 1s", "'<redacted>'"],
    ["PLAN CREATE USER x WITH PASSWORD '<redacted>'", "'<redacted>'"],
    ["EXPLAIN ALTER USER x SET PASSWORD '<redacted>'", "'<redacted>'"],
  ])('%s', async (text, pointed) => {
    const node = await openWithRelay();
    const execution_reference = node.reference();
    const query = `// é\n${text};`;
    const error = await node.refuse(query, { execution_reference });
    const start = Buffer.from(query).indexOf(pointed);
    expect(error).toMatchObject({
      code: 'INVALID_REQUEST',
      message,
      diagnostics: [{ message, span: { start, end: start + pointed.length } }],
    });
    // Nothing was settled: the same reference takes the text with the password.
    await node.run("CREATE USER x WITH PASSWORD 'p';", { execution_reference });
  });

  test('in a transaction neither', async () => {
    const node = await openWithRelay();
    const error = await node.refuse("BEGIN; CREATE USER x WITH PASSWORD '<redacted>'; COMMIT;");
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', message });
  });

  test('of a client the parser refuses it', async () => {
    const node = await openWithRelay();
    await node.run(`CREATE CLIENT c TYPE HTTP CONFIG {${CONFIGS[0]}};`);
    const printed = await node.text('SHOW CREATE CLIENT c;');
    const error = await node.refuse(printed.replace('CLIENT c', 'CLIENT e'));
    expect(error.message).toBe(
      "config key 'password' holds a redacted value; give the value or a SECRET reference",
    );
  });
});
