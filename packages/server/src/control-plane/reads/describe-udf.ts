import { createHash } from 'node:crypto';
import { type Model, printDataType, type UdfModel } from '@nervix/model';
import { calledModels, type DomainModels, modelsOfKind } from '@nervix/planner';

/** What a reader of a UDF without lines is shown. */
const NONE = '(none)';

/** Text of DESCRIBE for a UDF: its declaration, a digest of its code and who calls it. */
export function describeUdf(udf: UdfModel, models: DomainModels): string {
  const { name, language, volatile: isVolatile, code } = udf;
  const parameters = udf.arguments.map((argument) => `${argument.name} ${typeText(argument)}`);
  const callers = [...models.values()].filter((model) =>
    calledModels(model).some((called) => called.kind === 'udf' && called.name === name),
  );
  return [
    `name: ${name}`,
    `language: ${language}`,
    `signature: (${parameters.join(', ')}) -> ${typeText(udf.returns)}`,
    `volatile: ${isVolatile}`,
    `code_hash: ${createHash('sha256').update(code).digest('hex')}`,
    `referencing_nodes: ${names(callers).join(', ') || NONE}`,
  ].join('\n');
}

/** One line per UDF, by name. */
export function showUdfs(models: DomainModels): string {
  return names(modelsOfKind(models, 'udf')).join('\n') || NONE;
}

function typeText({ type, optional }: UdfModel['returns']): string {
  return `${printDataType(type)}${optional ? ' OPTIONAL' : ''}`;
}

function names(models: readonly Model[]): readonly string[] {
  return models.map(({ name }) => name).sort();
}
