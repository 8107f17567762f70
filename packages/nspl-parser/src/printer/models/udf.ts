import { type DataType, printDataType, type UdfLanguage, type UdfModel } from '@nervix/model';
import { clauseStatement } from '../layout.js';
import { dollarQuoted } from '../lexical.js';

/** Between which dollar quotes the code of a language stands. */
const CODE_TAGS: Readonly<Record<UdfLanguage, string>> = {
  ROTO_0_13: 'roto',
  ECMASCRIPT_2023: 'js',
};

export function printUdf(model: UdfModel, create: string): string {
  const parameters = model.arguments.map((argument) => `${argument.name} ${printType(argument)}`);
  return clauseStatement(`${create} UDF ${model.name}`, [
    `WITH ${model.language}`,
    `ARGS (${parameters.join(', ')})`,
    `RETURNS ${printType(model.returns)}`,
    ...(model.volatile ? ['VOLATILE'] : []),
    `CODE ${dollarQuoted(model.code, CODE_TAGS[model.language])}`,
  ]);
}

function printType({ type, optional }: { readonly type: DataType; readonly optional: boolean }) {
  return `${printDataType(type)}${optional ? ' OPTIONAL' : ''}`;
}
