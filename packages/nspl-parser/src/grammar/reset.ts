import type { LiteralBinding, LiteralValue, ResetTarget, Statement } from '@nervix/model';
import { Equals, keywords, LeftBrace, Minus, NumberToken, RightBrace } from '../tokens.js';
import { type GrammarHost, label, phraseOf, type Rule } from './grammar-host.js';

const K = keywords(
  'PROCESSOR',
  'STATE',
  'IN',
  'DOMAIN',
  'FOR',
  'UNBRANCHED',
  'BRANCH',
  'VALUES',
  'TRUE',
  'FALSE',
);
const PHRASE_RESET_WASM = phraseOf('RESET WASM');
const PHRASE_ALL_BRANCHES = phraseOf('ALL BRANCHES');

const WASM_PROCESSOR = label('ref:wasm_processor');
const DOMAIN = label('ref:domain');
const FIELD_NAME = label('field_name');
const NUMBER = label('number_literal');
const STRING = label('string_literal');

/** `RESET WASM PROCESSOR name STATE IN DOMAIN domain FOR …`. */
export function defineReset(g: GrammarHost): Rule<Statement> {
  const target = defineTarget(g);
  return g.rule('resetWasmProcessor', (): Statement => {
    g.phrase(PHRASE_RESET_WASM);
    g.take(K.PROCESSOR);
    const name = g.name(WASM_PROCESSOR);
    g.take(K.STATE);
    g.take(K.IN);
    g.take(K.DOMAIN);
    const domain = g.name(DOMAIN);
    g.take(K.FOR);
    return { kind: 'reset_wasm_processor', name, domain, target: g.call(target) };
  });
}

function defineTarget(g: GrammarHost): Rule<ResetTarget> {
  const values = defineBranchValues(g);
  return g.rule('resetTarget', () =>
    Object.freeze(
      g.choose<ResetTarget>(0, [
        { ALT: () => g.takeAs(K.UNBRANCHED, { kind: 'unbranched' }) },
        {
          ALT: () => {
            g.phrase(PHRASE_ALL_BRANCHES);
            return { kind: 'all_branches' };
          },
        },
        { ALT: () => ({ kind: 'branch', values: g.call(values) }) },
      ]),
    ),
  );
}

function defineBranchValues(g: GrammarHost): Rule<readonly LiteralBinding[]> {
  const value = defineValue(g);
  const binding = g.rule('branchValue', (): LiteralBinding => {
    const first = g.position;
    const field = g.name(FIELD_NAME);
    g.take(Equals);
    return g.close({ field, value: g.call(value) }, first);
  });
  return g.rule('branchValues', () => {
    g.take(K.BRANCH);
    g.take(K.VALUES);
    g.take(LeftBrace);
    const items = g.distinctList(
      0,
      () => g.call(binding),
      ({ field }) => `branch field '${field}'`,
    );
    g.take(RightBrace);
    return items;
  });
}

function defineValue(g: GrammarHost): Rule<LiteralValue> {
  return g.rule('branchLiteral', () =>
    Object.freeze(
      g.choose<LiteralValue>(0, [
        {
          ALT: () => {
            const sign = g.maybe(0, () => g.takeAs(Minus, '-')) ?? '';
            return { kind: 'number', text: sign + g.take(NumberToken, NUMBER).image };
          },
        },
        { ALT: () => ({ kind: 'string', value: g.text(STRING) }) },
        { ALT: () => g.takeAs(K.TRUE, { kind: 'boolean', value: true }) },
        { ALT: () => g.takeAs(K.FALSE, { kind: 'boolean', value: false }) },
      ]),
    ),
  );
}
