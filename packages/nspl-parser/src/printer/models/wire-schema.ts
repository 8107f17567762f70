import { statementWords, type WireField, type WireSchemaModel } from '@nervix/model';
import { blockStatement } from '../layout.js';

export function printWireSchema(model: WireSchemaModel, create: string): string {
  return blockStatement(
    `${create} ${statementWords(model.kind)} ${model.name} MODE ${model.mode}`,
    model.fields.map(printWireField),
  );
}

/** `name TYPE [OPTIONAL]`. */
export function printWireField({ name, type, optional }: WireField<string>): string {
  return `${name} ${type}${optional ? ' OPTIONAL' : ''}`;
}
