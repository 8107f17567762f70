import { printDataType, type SchemaField, type SchemaModel } from '@nervix/model';
import { blockStatement } from '../layout.js';

export function printSchema(model: SchemaModel, create: string): string {
  return blockStatement(`${create} SCHEMA ${model.name}`, model.fields.map(printSchemaField));
}

/** `name TYPE [OPTIONAL] [SENSITIVE]`. */
export function printSchemaField({ name, type, optional, sensitive }: SchemaField): string {
  const modifiers = (optional ? ' OPTIONAL' : '') + (sensitive ? ' SENSITIVE' : '');
  return `${name} ${printDataType(type)}${modifiers}`;
}
