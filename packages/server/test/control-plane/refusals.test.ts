import { describe, expect, test } from 'vitest';
import { type Asked, type ControlNode, openWithRelay } from '../support/control-node.ts';

/** The bytes that each diagnostic points at, as text; undefined without a place. */
async function places(
  node: ControlNode,
  query: string,
  asked: Asked = {},
): Promise<readonly (string | undefined)[]> {
  const { diagnostics } = await node.refuse(query, asked);
  const bytes = Buffer.from(query);
  return diagnostics.map(({ span }) =>
    span === undefined ? undefined : bytes.subarray(span.start, span.end).toString(),
  );
}

/** Text of more bytes than characters, in front of what is located. */
const COMMENT = '// Flüge – 航班 ✈\n';

describe('CP-36, CP-37: what a refused statement says and where', () => {
  test.each([
    ['CREATE SCHEMA s (a BOOL);', 'ALREADY_EXISTS', "model 's' already exists in domain 'd'", 's'],
    ['DROP SCHEMA zzz;', 'NOT_FOUND', "model 'zzz' does not exist in domain 'd'", 'zzz'],
    [
      'DROP SCHEMA s;',
      'IN_USE',
      "cannot delete model 's' in domain 'd' because it is used by r",
      's',
    ],
    [
      'CREATE RELAY q SCHEMA gone UNBRANCHED CAPACITY 8;',
      'NOT_FOUND',
      "model 'q' in domain 'd' requires missing schema 'gone'",
      'gone',
    ],
    ['SHOW CREATE SCHEMA gone;', 'NOT_FOUND', "schema 'gone' does not exist in domain 'd'", 'gone'],
    ['DESCRIBE RELAY gone;', 'NOT_FOUND', "stream 'gone' does not exist in domain 'd'", 'gone'],
    [
      'DESCRIBE WINDOW PROCESSOR gone;',
      'NOT_FOUND',
      "window processor 'gone' does not exist in domain 'd'",
      'gone',
    ],
    ['DESCRIBE ENDPOINT gone;', 'NOT_FOUND', "endpoint 'gone' not found", 'gone'],
  ])('%s', async (statement, code, message, place) => {
    const node = await openWithRelay();
    for (const query of [statement, COMMENT + statement, `${statement}\n${COMMENT}`]) {
      const error = await node.refuse(query);
      expect([error.code, error.message]).toEqual([code, message]);
      expect(await places(node, query)).toEqual([place]);
    }
  });

  test('the diagnostic of a duplicate is short, that of absent ones names the kind', async () => {
    const node = await openWithRelay();
    const remarks = [];
    for (const query of [
      'CREATE SCHEMA s (a BOOL);',
      'SHOW CREATE WINDOW PROCESSOR w;',
      'DESCRIBE WINDOW PROCESSOR w;',
      'DESCRIBE RELAY w;',
    ]) {
      remarks.push((await node.refuse(query)).diagnostics.map(({ message }) => message));
    }
    expect(remarks.flat()).toEqual([
      "'s' already exists",
      "window_processor 'w' not found",
      "window processor 'w' not found",
      "stream 'w' not found",
    ]);
  });

  test('a name is found as a whole word, in any letter case', async () => {
    const node = await openWithRelay();
    expect(await places(node, 'CREATE SCHEMA S (s1 I64, xs I64);')).toEqual(['S']);
    const query = 'CREATE RELAY rr SCHEMA R2 UNBRANCHED CAPACITY 8;';
    expect(await places(node, query)).toEqual(['R2']);
  });

  test('the name of the kind is not the name of the model', async () => {
    const node = await openWithRelay();
    const query = 'SHOW CREATE RELAY r2;';
    expect(await places(node, query)).toEqual(['r2']);
    const described = "DESCRIBE RELAY tenant WHERE (tenant = 'a');";
    const { diagnostics } = await node.refuse(described);
    expect(diagnostics[0]?.span).toEqual({ start: 15, end: 21 });
  });

  test('a statement inside a script is located in the whole script', async () => {
    const node = await openWithRelay();
    const query = `BEGIN; ${COMMENT}CREATE SCHEMA ok (a BOOL); CREATE SCHEMA s (a BOOL);`;
    const { diagnostics } = await node.refuse(query);
    const end = Buffer.byteLength(query) - ' (a BOOL);'.length;
    expect(diagnostics).toEqual([{ message: "'s' already exists", span: { start: end - 1, end } }]);
  });

  test('a name that the statement does not hold has no place', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    const relay = 'CREATE RELAY q SCHEMA gone UNBRANCHED CAPACITY 8;';
    await node.run(relay, { transaction });
    const { diagnostics } = await node.refuse('START;', { transaction });
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).not.toHaveProperty('span');
  });

  test('CP-132: a parse error has the place of the offending token', async () => {
    const node = await openWithRelay();
    const query = `${COMMENT}CREATE SCHEMA x (id NOTATYPE);`;
    const error = await node.refuse(query);
    expect(error.code).toBe('PARSE_FAILED');
    expect(await places(node, query)).toEqual(['NOTATYPE']);
  });

  test('an expression at fault is located by itself', async () => {
    const node = await openWithRelay();
    await node.run('CREATE RELAY q SCHEMA s UNBRANCHED CAPACITY 8;');
    const query =
      `${COMMENT}CREATE JUNCTION j FROM r WHERE input.tenant >= 3 AS I64 UNBRANCHED ` +
      'TO q INHERIT ALL FLUSH IMMEDIATE ON MESSAGE ERROR LOG;';
    const error = await node.refuse(query);
    expect(error.code).toBe('INVALID_MODEL');
    const [place] = await places(node, query);
    expect(place).toMatch(/^input\.tenant/);
    expect(place?.length).toBeLessThan(40);
  });

  test.each([
    'DROP SCHEMA s;',
    'CREATE SCHEMA s (a BOOL);',
    'CREATE RELAY q SCHEMA gone UNBRANCHED CAPACITY 8;',
    'STOP;',
    'CREATE SCHEMA;',
  ])('a refused statement changes nothing: %s', async (statement) => {
    const node = await openWithRelay();
    const before = await Promise.all(
      ['SHOW CREATE SCHEMA s;', 'SHOW CREATE RELAY r;', 'DESCRIBE DOMAIN;'].map((read) =>
        node.text(read),
      ),
    );
    const key = 'domain/d';
    const revision = node.state.revisionOf(key);
    await node.refuse(statement);
    const after = await Promise.all(
      ['SHOW CREATE SCHEMA s;', 'SHOW CREATE RELAY r;', 'DESCRIBE DOMAIN;'].map((read) =>
        node.text(read),
      ),
    );
    expect(after).toEqual(before);
    expect(node.state.revisionOf(key)).toBe(revision);
    expect(node.state.models('d').size).toBe(2);
  });
});

describe('what needs a domain', () => {
  test.each([
    'CREATE SCHEMA x (a BOOL);',
    'START;',
    'STOP;',
    'DESCRIBE DOMAIN;',
    'SHOW INGESTORS;',
  ])('CP-23: %s', async (statement) => {
    const node = await openWithRelay();
    const none = await node.refuse(statement, { domain: null });
    expect([none.code, none.message]).toEqual(['NO_DOMAIN_SELECTED', 'no active domain selected']);
    expect(none.diagnostics).toEqual([{ message: 'no active domain selected' }]);
    const unknown = await node.refuse(statement, { domain: 'Nowhere' });
    expect([unknown.code, unknown.message]).toEqual([
      'NOT_FOUND',
      "domain 'nowhere' does not exist",
    ]);
  });

  test.each([
    ["USE 'd'", "USE 'd' is a client-local command and must not be sent to the server"],
    ['LIST DOMAINS', 'LIST DOMAINS is a protobuf-level client command'],
    ['DELETE SUBSCRIPTION w', 'client-local commands are not allowed'],
  ])('TX-39: %s belongs to clients', async (statement, text) => {
    const node = await openWithRelay();
    const error = await node.refuse(`${statement.replaceAll("'", '')};`);
    expect([error.code, error.message]).toEqual(['REQUEST_SHAPE', text]);
  });
});
