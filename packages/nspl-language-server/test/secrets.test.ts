import { expect, test } from 'vitest';
import { diagnose, hover, hoverText, SourceDocument } from '../src/index.ts';

const CANARY = 'canary4711';
const SECRETS: readonly string[] = [
  `CREATE CLIENT a TYPE HTTP CONFIG {'password' = '${CANARY}'};`,
  `CREATE IF NOT EXISTS CLIENT a TYPE OTEL CONFIG {'headers' = 'x: ${CANARY}'};`,
  `CREATE CLIENT a TYPE S3 CONFIG {'endpoint' = 'http://me:${CANARY}@h'} WAIT 5s;`,
  `CREATE USER a WITH PASSWORD '${CANARY}';`,
  `CREATE IF NOT EXISTS USER a WITH PASSWORD "${CANARY}" WAIT 5s;`,
  `PLAN CREATE CLIENT a TYPE HTTP CONFIG {'token' = '${CANARY}'};`,
  `EXPLAIN FORMAT JSON CREATE USER a WITH PASSWORD '${CANARY}';`,
  `ALTER USER a SET PASSWORD $$${CANARY}$$;`,
];
const USES = [
  'DROP CLIENT a;',
  'DROP USER a;',
  'CREATE EMITTER e FROM r TO HTTP a METHOD GET PATH p MODE NO_ACK WITHOUT BODY',
];

test.each(SECRETS)('CL-114: no hover shows a secret: %s', (definition) => {
  const text = [definition, ...USES].join('\n');
  const document = new SourceDocument({ uri: 'file:///a', version: 1, text }, 'utf-8');
  const shown = new Set<string>();
  for (let offset = 0; offset < text.length; offset += 1) {
    const content = hover(document, offset, []);
    if (content !== undefined) shown.add(hoverText(content, false));
  }
  const all = [...shown].join('\n');
  expect(shown.size).toBeGreaterThan(2);
  expect(all).not.toContain(CANARY);
  if (definition.startsWith('CREATE')) expect(all).toContain('<redacted>');
});

test('CL-114: no diagnostic quotes a secret', () => {
  for (const text of [
    `CREATE CLIENT a TYPE HTTP CONFIG {'password' '${CANARY}'};`,
    `CREATE USER a WITH PASSWORD ${CANARY};`,
    `ALTER USER a SET '${CANARY}';`,
  ]) {
    const document = new SourceDocument({ uri: 'file:///a', version: 1, text }, 'utf-8');
    const messages = diagnose(document).map(({ message }) => message);
    expect(messages).toEqual([expect.stringMatching(/, found "<redacted>"$/)]);
  }
});
