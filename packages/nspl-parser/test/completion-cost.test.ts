import { afterEach, expect, test, vi } from 'vitest';
import { TokenCursor } from '../src/expression/token-cursor.ts';
import { GrammarHost } from '../src/grammar/grammar-host.ts';
import { GrammarState } from '../src/grammar-states.ts';
import { completeAt } from '../src/index.ts';

afterEach(() => vi.restoreAllMocks());

/** Steps that completing at the end of a text takes: characters, tokens and places looked at. */
function steps(text: string): number {
  const spies = [
    vi.spyOn(String.prototype, 'charCodeAt'),
    vi.spyOn(TokenCursor.prototype, 'peek'),
    vi.spyOn(GrammarHost.prototype, 'take'),
    vi.spyOn(GrammarState.prototype, 'steps', 'get'),
  ];
  completeAt(text, Buffer.byteLength(text));
  const count = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  vi.restoreAllMocks();
  return count;
}

const repeated = (head: string, part: string, tail: string) => (times: number) =>
  head + part.repeat(times) + tail;

const junction = 'CREATE JUNCTION j FROM a UNBRANCHED';
const GROWING: readonly [name: string, text: (times: number) => string][] = [
  ['statements before', repeated('', 'CREATE RELAY a SCHEMA b UNBRANCHED; ', 'CREATE ')],
  ['fields of a schema', repeated('CREATE SCHEMA s (', 'a U32 OPTIONAL, ', '')],
  ['routes', repeated(junction, ' TO b SET a = 1 FLUSH IMMEDIATE ON MESSAGE ERROR LOG', ' ')],
  ['terms of a sum', repeated('CREATE SUBSCRIPTION s TO r WHERE a', ' + b', ' ')],
  ['terms of an unfinished sum', repeated('CREATE SUBSCRIPTION s TO r WHERE a + ', 'b + ', '')],
  ['keys of a list', repeated('ALTER REORDERER r SET BY a', ', b', ', ')],
  ['operations', repeated('ALTER REORDERER r SET MAX TIME 1s', ', SET BY a', ', ')],
  ['parts of a host name', repeated('CREATE VHOST v a', '-a', ' ')],
  ['comments', repeated('', '// a\n', 'CREATE ')],
  ['characters of an open string', repeated("UPLOAD RESOURCE r VERSION '", 'a/', '')],
  ['words behind an error', repeated('CREATE RELAY r x ', 'y ', '')],
];

test.each(GROWING)('NSPL 15.6: twice as many %s take twice the steps', (_name, text) => {
  completeAt(text(400), 0);
  const few = steps(text(200));
  const many = steps(text(400));
  expect(many).toBeGreaterThan(few);
  expect(many).toBeLessThan(few * 2.2);
});

test('NSPL 11: types that nest too deeply to be read are not followed', () => {
  const nested = (levels: number) => `CREATE SCHEMA s (a ${'VEC < '.repeat(levels)}`;
  const { items } = completeAt(nested(200), nested(200).length);
  expect(items.map(({ label }) => label)).toContain('VEC');
  expect(completeAt(nested(20_000), nested(20_000).length).items).toEqual([]);
});
