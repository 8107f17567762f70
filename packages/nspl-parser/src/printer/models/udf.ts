import { type DataType, printDataType, type UdfModel } from '@nervix/model';
import { clauseStatement } from '../layout.js';
import { dollarQuoted } from '../lexical.js';

export function printUdf(model: UdfModel, create: string): string {
  const parameters = model.arguments.map((argument) => `${argument.name} ${printType(argument)}`);
  return clauseStatement(`${create} UDF ${model.name}`, [
    `WITH ${model.language}`,
    `ARGS (${parameters.join(', ')})`,
    `RETURNS ${printType(model.returns)}`,
    ...(model.volatile ? ['VOLATILE'] : []),
    `CODE ${dollarQuoted(model.code, 'roto')}`,
  ]);
}

function printType({ type, optional }: { readonly type: DataType; readonly optional: boolean }) {
  return `${printDataType(type)}${optional ? ' OPTIONAL' : ''}`;
}
