import { writeFile } from 'node:fs/promises';
import { MODEL_KINDS, type ModelKind } from '@nervix/model';
import { printStatement } from '@nervix/nspl-parser';
import type { DomainEntity } from '@nervix/protocol';
import type { Client } from '../client.js';
import { EXIT, type ExitCode, localFileError } from './command-line-error.js';
import { type DomainTexts, domainSnapshot } from './domain-snapshot.js';
import type { Output } from './output.js';

/** Arguments of `nervix export`. */
export interface ExportArguments {
  /** Whether literal secrets are written out; it takes the right to read them. */
  readonly withSecrets: boolean;
  /** Whether the state is written that `nervix plan --against` reads, rather than NSPL. */
  readonly isSnapshot: boolean;
  /** File that takes the texts; standard output without one. */
  readonly path?: string;
}

/** Owner only: the texts may hold secrets. */
const FILE_MODE = 0o600;

function isModelKind(kind: string): kind is ModelKind {
  return (MODEL_KINDS as readonly string[]).includes(kind);
}

/** Resources first, then kinds in the order in which they are declared, then names. */
function inOrder(entities: readonly DomainEntity[]): readonly DomainEntity[] {
  const rank = ({ kind }: DomainEntity): number =>
    isModelKind(kind) ? MODEL_KINDS.indexOf(kind) : -1;
  return [...entities].sort(
    (left, right) => rank(left) - rank(right) || (left.name < right.name ? -1 : 1),
  );
}

/** The text that makes one entity as it is now. */
async function textOf(
  { kind, name }: DomainEntity,
  withSecrets: boolean,
  context: ExportContext,
): Promise<string> {
  if (!isModelKind(kind))
    return printStatement({ kind: 'create_resource', name, ifNotExists: false });
  const { client, domain, signal } = context;
  const query = printStatement({ kind: 'show_create', modelKind: kind, name, withSecrets });
  const { message } = await client.execute(query, { domain, signal });
  return message;
}

interface ExportContext {
  readonly client: Client;
  readonly output: Output;
  readonly domain: string;
  readonly signal: AbortSignal;
}

/** Reads what the texts of a domain do not tell. */
async function readState(
  entities: readonly DomainEntity[],
  texts: readonly string[],
  { client, domain, signal }: ExportContext,
): Promise<DomainTexts> {
  const read = async (query: string): Promise<string> =>
    (await client.execute(query, { domain, signal })).message;
  const resources = new Map<string, string>();
  for (const { kind, name } of entities) {
    if (!isModelKind(kind)) resources.set(name, await read(`DESCRIBE RESOURCE ${name};`));
  }
  return {
    domain,
    models: texts.filter((_text, index) => isModelKind(entities[index]?.kind ?? '')),
    resources,
    description: await read('DESCRIBE DOMAIN;'),
    cluster: await read('SHOW CLUSTER STATUS;'),
  };
}

/** Prints the texts that make a domain, as one script of a transaction. */
export async function runExport(
  { withSecrets, isSnapshot, path }: ExportArguments,
  context: ExportContext,
): Promise<ExitCode> {
  const { client, output, domain, signal } = context;
  const entities = inOrder(await client.entities({ domain, signal }));
  const texts: string[] = [];
  for (const entity of entities) texts.push(await textOf(entity, withSecrets, context));
  const script = isSnapshot
    ? `${JSON.stringify(domainSnapshot(await readState(entities, texts, context)), null, 2)}\n`
    : texts.map((text) => `${text.replace(/;\s*$/, '')};\n`).join('\n');
  if (path === undefined) {
    await output.verbatim(script);
    return EXIT.success;
  }
  try {
    await writeFile(path, script, { mode: FILE_MODE });
  } catch (cause) {
    throw localFileError('write', path, cause);
  }
  await output.notice(`exported ${texts.length} definitions of domain '${domain}' to ${path}`);
  return EXIT.success;
}
