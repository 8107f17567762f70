import type { ClientConfigEntry, ClientModel } from '@nervix/model';
import { block, clauseStatement } from '../layout.js';
import { stringLiteral } from '../lexical.js';
import { printBinding } from './binding.js';

export function printClient(model: ClientModel, create: string): string {
  const { name, type, pool, signaling, config } = model;
  const entries = config.map(printEntry);
  const head = `${create} CLIENT ${name}`;
  const mount = printBinding('MOUNT', model.mount);
  if (type === 'S3') return `${head} TYPE S3${mount} CONFIG {${entries.join(', ')}};`;
  if (pool !== null) {
    return clauseStatement(head, [
      `TYPE ${type}`,
      `POOL SIZE MIN ${pool.min} MAX ${pool.max}`,
      ...(mount === '' ? [] : [mount.trimStart()]),
      ...block('CONFIG', entries),
    ]);
  }
  const protocol = signaling === null ? '' : ` WITH SIGNALING PROTOCOL ${signaling}`;
  return clauseStatement(head, [`TYPE ${type}${protocol}${mount}`, ...block('CONFIG', entries)]);
}

function printEntry({ key, value }: ClientConfigEntry): string {
  const head = `${stringLiteral(key)} =`;
  if (value.kind === 'text') return `${head} ${stringLiteral(value.text)}`;
  const secretKey = value.key === null ? '' : ` KEY ${stringLiteral(value.key)}`;
  return `${head} SECRET ${stringLiteral(value.name)}${secretKey}`;
}
