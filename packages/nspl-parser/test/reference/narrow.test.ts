import { expect, test } from 'vitest';
import { headsOf, narrowRule } from '../../scripts/reference/narrow.ts';
import { readGrammarNotation } from '../../src/grammar-notation.ts';

const rules = readGrammarNotation(`
statement ::= create wait | drop wait | explain | 'STOP'
create ::= 'CREATE' ('IF NOT EXISTS')? (relay | consumer | 'PACED' domain | domain)
domain ::= 'DOMAIN' NAME
relay ::= 'RELAY' NAME
consumer ::= ('ATTACHED' | 'DETACHED')? (junction | 'EMITTER' NAME)
junction ::= 'JUNCTION' NAME ('TO' NAME)+
drop ::= 'DROP' ('RELAY' NAME | 'WIRE' ('JSON' | 'CBOR') 'SCHEMA' NAME)
explain ::= 'EXPLAIN' ('PLACEMENT' NAME | planned)
planned ::= create | drop
wait ::= ('WAIT' NUMBER)?
`);

/** The notation's reading of what a narrowed rule should be. */
function reading(text: string) {
  return readGrammarNotation(`x ::= ${text}`).get('x');
}

test.each([
  [['CREATE RELAY'], "'CREATE' ('IF NOT EXISTS')? 'RELAY' NAME wait"],
  [
    ['CREATE JUNCTION'],
    "'CREATE' ('IF NOT EXISTS')? ('ATTACHED' | 'DETACHED')? 'JUNCTION' NAME ('TO' NAME)+ wait",
  ],
  [
    ['CREATE DOMAIN', 'CREATE PACED DOMAIN'],
    "'CREATE' ('IF NOT EXISTS')? ('PACED' 'DOMAIN' NAME | 'DOMAIN' NAME) wait",
  ],
  [['DROP WIRE'], "'DROP' 'WIRE' ('JSON' | 'CBOR') 'SCHEMA' NAME wait"],
  [['STOP'], "'STOP'"],
])('only what begins with %s is left', (heads, expected) => {
  expect(narrowRule(rules, 'statement', heads)).toEqual(reading(expected));
});

test('what begins another statement can be left out', () => {
  const all = reading("'EXPLAIN' ('PLACEMENT' NAME | planned)");
  expect(narrowRule(rules, 'statement', ['EXPLAIN'])).toEqual(all);
  const rest = narrowRule(rules, 'statement', ['EXPLAIN'], ['PLACEMENT']);
  expect(rest).toEqual(reading("'EXPLAIN' planned"));
});

test('a head that no statement has leaves nothing', () => {
  expect(narrowRule(rules, 'statement', ['CREATE CODEC'])).toBeUndefined();
  expect(narrowRule(rules, 'statement', ['RELAY'])).toBeUndefined();
});

test('heads are keywords up to a value, without what is optional', () => {
  expect(headsOf(rules, 'statement').toSorted()).toEqual([
    'CREATE DOMAIN',
    'CREATE EMITTER',
    'CREATE JUNCTION',
    'CREATE PACED DOMAIN',
    'CREATE RELAY',
    'DROP RELAY',
    'DROP WIRE CBOR SCHEMA',
    'DROP WIRE JSON SCHEMA',
    'EXPLAIN CREATE DOMAIN',
    'EXPLAIN CREATE EMITTER',
    'EXPLAIN CREATE JUNCTION',
    'EXPLAIN CREATE PACED DOMAIN',
    'EXPLAIN CREATE RELAY',
    'EXPLAIN DROP RELAY',
    'EXPLAIN DROP WIRE CBOR SCHEMA',
    'EXPLAIN DROP WIRE JSON SCHEMA',
    'EXPLAIN PLACEMENT',
    'STOP',
  ]);
});
