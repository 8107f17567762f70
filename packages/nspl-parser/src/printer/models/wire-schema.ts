import { statementWords, type WireSchemaModel } from '@nervix/model';
import { blockStatement } from '../layout.js';

export function printWireSchema(model: WireSchemaModel, create: string): string {
  const fields = model.fields.map(
    ({ name, type, optional }) => `${name} ${type}${optional ? ' OPTIONAL' : ''}`,
  );
  return blockStatement(
    `${create} ${statementWords(model.kind)} ${model.name} MODE ${model.mode}`,
    fields,
  );
}
