import { printDataType, type SchemaModel } from '@nervix/model';
import { blockStatement } from '../layout.js';

export function printSchema(model: SchemaModel, create: string): string {
  const fields = model.fields.map(({ name, type, optional, sensitive }) => {
    const modifiers = (optional ? ' OPTIONAL' : '') + (sensitive ? ' SENSITIVE' : '');
    return `${name} ${printDataType(type)}${modifiers}`;
  });
  return blockStatement(`${create} SCHEMA ${model.name}`, fields);
}
