import { type Statement, statementWords } from '@nervix/model';
import type { QueueableStatement } from '@nervix/planner';

/** Why this release cannot carry out a change of a domain as it is written, or undefined. */
export function unsupportedChange(statement: QueueableStatement): string | undefined {
  if (statement.kind !== 'start' || statement.at === null) return undefined;
  const { instant, timeRate } = statement.at;
  return instant === null && timeRate === 1
    ? undefined
    : 'START AT an instant or with a TIME RATE needs a paced domain, which this release lacks';
}

/** A change of a model kind in words, as results and refusals spell it. */
export function alteredLabel(statement: Extract<Statement, { kind: 'alter_model' }>): string {
  switch (statement.modelKind) {
    case 'wire_json_schema':
      return 'JSON wire schema';
    case 'wire_cbor_schema':
      return 'CBOR wire schema';
    case 'wire_avro_schema':
      return 'AVRO wire schema';
    default:
      return statementWords(statement.modelKind).toLowerCase();
  }
}
