import type { ResolveOperationStatement, Statement } from '@nervix/model';
import { keywords } from '../../tokens.js';
import { type GrammarHost, label, type Rule } from '../grammar-host.js';
import { takePositive } from '../literals.js';
import { takeOutputFormat } from '../output-format.js';
import type { RecordFilterRules } from './record-filter.js';

const K = keywords(
  'OPERATION',
  'OPERATIONS',
  'CANCEL',
  'COMPENSATE',
  'RESOLVE',
  'STEP',
  'AS',
  'APPLIED',
  'NOT',
  'EVIDENCE',
);

const OPERATION = label('ref:operation');
const STEP = label('number_literal');
const EVIDENCE = label('string_literal');

export interface OperationRules {
  readonly cancel: Rule<Statement>;
  readonly compensate: Rule<Statement>;
  readonly resolve: Rule<Statement>;
  /** `OPERATIONS …` of SHOW. */
  readonly show: Rule<Statement>;
  /** `OPERATION …` of DESCRIBE. */
  readonly describe: Rule<Statement>;
}

/** Statements about operations of the journal. */
export function defineOperations(g: GrammarHost, filters: RecordFilterRules): OperationRules {
  const takeOperation = () => {
    g.take(K.OPERATION);
    return g.text(OPERATION);
  };
  return {
    cancel: g.rule('cancelOperation', (): Statement => {
      g.take(K.CANCEL);
      return { kind: 'cancel_operation', operation: takeOperation() };
    }),
    compensate: g.rule('compensateOperation', (): Statement => {
      g.take(K.COMPENSATE);
      return { kind: 'compensate_operation', operation: takeOperation() };
    }),
    resolve: defineResolve(g, takeOperation),
    show: g.rule('showOperations', (): Statement => {
      g.take(K.OPERATIONS);
      const selection = g.call(filters.operations);
      return { kind: 'show_operations', ...selection, format: takeOutputFormat(g, 0) };
    }),
    describe: g.rule('describeOperation', (): Statement => {
      const operation = takeOperation();
      return { kind: 'describe_operation', operation, format: takeOutputFormat(g, 0) };
    }),
  };
}

function defineResolve(g: GrammarHost, takeOperation: () => string): Rule<Statement> {
  return g.rule('resolveOperation', (): Statement => {
    g.take(K.RESOLVE);
    const operation = takeOperation();
    g.take(K.STEP);
    const step = takePositive(g, STEP, 'STEP must be greater than zero');
    g.take(K.AS);
    const resolution = g.choose<ResolveOperationStatement['resolution']>(0, [
      { ALT: () => g.takeAs(K.APPLIED, 'APPLIED') },
      {
        ALT: () => {
          g.take(K.NOT);
          return g.takeAs(K.APPLIED, 'NOT APPLIED');
        },
      },
    ]);
    g.take(K.EVIDENCE);
    return { kind: 'resolve_operation', operation, step, resolution, evidence: g.text(EVIDENCE) };
  });
}
