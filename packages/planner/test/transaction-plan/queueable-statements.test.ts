import { parseScript } from '@nervix/nspl-parser';
import { STATEMENT_ENTRIES } from '@nervix/nspl-parser/documentation';
import { expect, test } from 'vitest';
import { isQueueable } from '../../src/index.ts';

const QUEUEABLE: ReadonlySet<string> = new Set([
  'create_model',
  'alter_model',
  'drop_model',
  'rebind_resource',
  'start',
  'stop',
  'create_resource',
  'reset_wasm_processor',
]);

test('CP-51: of all statements of the language a transaction queues these, and nothing else', () => {
  const statements = STATEMENT_ENTRIES.flatMap(({ examples }) => examples).flatMap((example) =>
    parseScript(example).statements.map(({ statement }) => statement),
  );
  const queueable = statements.filter(isQueueable);
  const kinds: ReadonlySet<string> = new Set(queueable.map(({ kind }) => kind));
  expect(kinds).toEqual(new Set([...QUEUEABLE, 'alter_domain']));
  // Of ALTER DOMAIN only its default policy, and of the kinds above every statement.
  for (const statement of statements) {
    const isExpected =
      statement.kind === 'alter_domain'
        ? statement.setting.kind === 'placement'
        : QUEUEABLE.has(statement.kind);
    expect([statement.kind, isQueueable(statement)]).toEqual([statement.kind, isExpected]);
  }
  const others = new Set(statements.map(({ kind }) => kind).filter((kind) => !kinds.has(kind)));
  expect(others.size).toBeGreaterThan(40);
});
