import { expect, test } from 'vitest';
import { describeGrammar, type GrammarNode, partsOf, referencedRules } from '../src/grammar.ts';

const grammar = describeGrammar();

/** A piece in the notation of the specification. */
function written(node: GrammarNode): string {
  switch (node.kind) {
    case 'keyword':
      return node.text;
    case 'punctuation':
      return `'${node.text}'`;
    case 'value':
      return `<${node.label}>`;
    case 'rule':
      return node.name;
    case 'sequence':
      return `(${node.items.map(written).join(' ')})`;
    case 'choice':
      return `(${node.alternatives.map(written).join(' | ')})`;
    case 'optional':
      return `${written(node.item)}?`;
    case 'repeat':
      return `${written(node.item)}${node.separator === null ? '+' : ` % ${written(node.separator)}`}`;
  }
}

function rule(name: string): string {
  const node = grammar.statements.get(name);
  return node === undefined ? 'none' : written(node);
}

test('NSPL 2: rules are described as they read', () => {
  expect(rule('flush')).toBe('((FLUSH EACH duration MAX BATCH SIZE byteSize) | (FLUSH IMMEDIATE))');
  expect(rule('inputRelay')).toBe('(<ref:relay> where?)');
});

test('a list is one item repeated with commas between', () => {
  expect(rule('inputs')).toBe("(inputRelay % ',' collect?)");
  expect(rule('schema')).toBe("(SCHEMA <schema_name> '(' schemaField % ',' ','? ')')");
});

test('a duration is one value, whichever tokens it is made of', () => {
  expect(rule('duration')).toBe('<duration_literal>');
});

test('what is matched only to be refused is left out', () => {
  expect(rule('setOnly')).toBe('(SET assignments)');
  expect(rule('setWhere')).toBe('(SET assignments (WHERE expression)?)');
  const text = [...grammar.statements.values()].map(written).join('\n');
  expect(text).not.toContain('~');
});

test('parts that the expression reader reads refer to its rules', () => {
  const where = grammar.statements.get('where');
  expect(where && partsOf(where)[1]).toEqual({
    kind: 'rule',
    name: 'expression',
    label: 'where_expression',
  });
});

test('every rule that is referred to is there, under one name', () => {
  const names = [...grammar.statements.keys(), ...grammar.expressions.keys()];
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  const used = [...grammar.statements.values(), ...grammar.expressions.values()];
  expect(used.flatMap(referencedRules).filter((name) => !names.includes(name))).toEqual([]);
  expect(names).toContain(grammar.start);
  expect(names).toContain(grammar.serverStart);
});
