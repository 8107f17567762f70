import { expect, test } from 'vitest';
import { openWithRelay } from '../support/control-node.ts';
import { authorizationOf, listenOver } from '../support/session.ts';

/** Sends NSPL as text to a node with the domain `d`, and reads the answer as text. */
async function open() {
  const node = await openWithRelay();
  const { port } = await listenOver(node.plane);
  const ask = async (body: string, query = '?domain=d'): Promise<string> => {
    const url = `http://127.0.0.1:${port}/api/v1/commands${query}`;
    const authorization = authorizationOf('ada');
    const headers = { authorization, 'content-type': 'text/plain', accept: 'text/plain' };
    return (await fetch(url, { method: 'POST', headers, body })).text();
  };
  return { node, ask };
}

test.each([
  ['SHOW INGESTORS', 'no ingestors\n'],
  ['SHOW UDFS', '(none)\n'],
  ['SHOW TRANSACTIONS', 'no transactions\n'],
  ['SHOW CREATE SCHEMA s', /^CREATE SCHEMA s \([\s\S]*\);\n$/],
  ['SHOW CREATE RELAY r', /^CREATE RELAY r SCHEMA s UNBRANCHED[\s\S]*;\n$/],
  ['SHOW CLUSTER STATUS', /^\[chitchat\]\n- none\n\n\[raft\]\n[\s\S]*\n\n\[warnings\]\n- none\n$/],
  ['DESCRIBE RELAY r', /^relay: r\nkind: RELAY\nowner: \S+\n[\s\S]*\nmaterialized state: none\n/],
  [
    'LIST DOMAINS',
    /^LIST DOMAINS is a protobuf-level client command\nsend ListDomainsRequest, or read GET \/api\/v1\/domains\n/,
  ],
  ['USE d', /^USE 'd' is a client-local command and must not be sent to the server\n/],
  [
    'SHOW CREATE RELAY nope',
    /^relay 'nope' does not exist in domain 'd'\n(?:relay 'nope' not found\n)? --> query:1:19\n/,
  ],
])('TX-1, TX-33, TX-34, TX-39: %s as text is its layout and no more', async (statement, text) => {
  const { ask } = await open();
  if (typeof text === 'string') expect(await ask(statement)).toBe(text);
  else expect(await ask(statement)).toMatch(text);
});

test('CP-64: a stale COMMIT as text says both previews, of which the present one is taken', async () => {
  const { node, ask } = await open();
  const id = await node.begin();
  const query = `?transaction=${id}`;
  expect(await ask('CREATE SCHEMA x (id I64)', query), 'CP-53').toBe(
    'transaction command is missing its expected queue position\n',
  );
  await ask('CREATE SCHEMA x (id I64)', `${query}&expected_transaction_position=0`);
  await node.run('CREATE SCHEMA y (id I64);');
  const refusal = await ask('COMMIT', query);
  const [, expected, current, ...rest] = refusal.trimEnd().split('\n');
  const preview = `COMMIT EXPECT '${id}' POSITION 1 BASIS '[0-9a-f]{64}'`;
  expect(expected).toMatch(new RegExp(`^expected: ${preview}$`));
  expect(current).toMatch(new RegExp(`^current: ${preview}$`));
  expect(rest).toEqual([]);
  expect(expected?.slice('expected: '.length)).not.toBe(current?.slice('current: '.length));
  expect(await ask(expected?.slice('expected: '.length) ?? '', query)).toContain('current: ');
  expect(await ask(current?.slice('current: '.length) ?? '', query)).toBe(
    'quiesce level: DYNAMIC\n',
  );
});
