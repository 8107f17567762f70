import { DESCRIBABLE_KINDS, type Statement } from '@nervix/model';
import { keywords } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';
import { type LiteralRules, takePositive } from './literals.js';
import { modelReference } from './model-words.js';
import { takeOutputFormat } from './output-format.js';
import { takeTransactionId } from './transaction-id.js';

const K = keywords('DOMAIN', 'DESCRIBE', 'RELAY', 'WASM', 'PROCESSOR', 'TRANSACTION', 'OPERATION');

const RELAY = label('ref:relay');
const WASM_PROCESSOR = label('ref:wasm_processor');
const OPERATION_NUMBER = label('operation_number');
const ZERO_OPERATION = 'operation_number must be greater than zero; operations are numbered from 1';

/**
 * DESCRIBE statements.
 *
 * @param others what else may follow DESCRIBE
 */
export function defineDescribe(
  g: GrammarHost,
  literals: LiteralRules,
  others: readonly Rule<Statement>[],
): Rule<Statement> {
  const nodes = DESCRIBABLE_KINDS.map((modelKind) => {
    const reference = modelReference(g, modelKind, { isPhrase: false });
    return { ALT: (): Statement => ({ kind: 'describe_model', modelKind, name: reference() }) };
  });
  const relay = defineDescribeRelay(g, literals);
  const rules = [defineDescribeWasmProcessor(g), defineDescribeTransaction(g), ...others];
  const alternatives = [
    { ALT: (): Statement => g.takeAs(K.DOMAIN, { kind: 'describe_domain' }) },
    { ALT: () => g.call(relay) },
    ...nodes,
    ...rules.map((rule) => ({ ALT: () => g.call(rule) })),
  ];
  return g.rule('describe', () => {
    g.take(K.DESCRIBE);
    return g.choose(0, alternatives);
  });
}

function defineDescribeRelay(g: GrammarHost, { literalBindings }: LiteralRules): Rule<Statement> {
  return g.rule('describeRelay', (): Statement => {
    g.take(K.RELAY);
    const relay = g.relayName(RELAY);
    const bindings = g.maybe(0, () => g.call(literalBindings)) ?? null;
    return { kind: 'describe_relay', relay, bindings };
  });
}

function defineDescribeWasmProcessor(g: GrammarHost): Rule<Statement> {
  return g.rule('describeWasmProcessor', (): Statement => {
    g.take(K.WASM);
    g.take(K.PROCESSOR);
    const name = g.name(WASM_PROCESSOR);
    return { kind: 'describe_wasm_processor', name, format: takeOutputFormat(g, 0) };
  });
}

function defineDescribeTransaction(g: GrammarHost): Rule<Statement> {
  return g.rule('describeTransaction', (): Statement => {
    g.take(K.TRANSACTION);
    const transaction = g.maybe(0, () => takeTransactionId(g)) ?? null;
    const operation =
      g.maybe(1, () => {
        g.take(K.OPERATION);
        return takePositive(g, OPERATION_NUMBER, ZERO_OPERATION);
      }) ?? null;
    return { kind: 'describe_transaction', transaction, operation, format: takeOutputFormat(g, 2) };
  });
}
