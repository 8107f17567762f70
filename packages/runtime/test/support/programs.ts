import type { SchemaPlan, TypedProgram } from '@nervix/model';
import { parseExpression } from '@nervix/nspl-parser';
import { typeExpression } from '@nervix/planner';

/** The typed program of an expression over the rows of a schema. */
export function programIn(
  context: 'processor_condition' | 'window_set',
  text: string,
  { fields }: SchemaPlan,
): TypedProgram {
  const parsed = parseExpression(text);
  if (parsed.kind !== 'parsed') throw new Error(`${text}: ${JSON.stringify(parsed)}`);
  const { expression } = parsed;
  const typed = typeExpression({ expression, context, rows: { input: fields } });
  if (typed.kind !== 'typed') throw new Error(`${text}: ${JSON.stringify(typed)}`);
  return typed.program;
}
