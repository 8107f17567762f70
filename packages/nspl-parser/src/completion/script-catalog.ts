import type { IngestorModel, Statement } from '@nervix/model';
import { outlineScript } from '../outline.js';
import type { Catalog } from './catalog.js';
import { isHeaderSource } from './header-transports.js';

/** What a script creates, by kind and name. */
type Created = Map<string, Map<string, Statement>>;

/** References whose kind is not called as the statement that creates it. */
const REFERENCE_KINDS: ReadonlyMap<string, string> = new Map([
  ['lookup', 'hash_map'],
  ['session_subscription', 'subscription'],
]);

const RUNTIME_NODES: readonly string[] = [
  'ingestor',
  'reingestor',
  'generator',
  'junction',
  'deduplicator',
  'correlator',
  'reorderer',
  'window_processor',
  'inferencer',
  'wasm_processor',
  'emitter',
];

/**
 * The catalog of a script: what its statements create and do not drop again. A statement that
 * cannot be read creates nothing, so that one under work does not hide the others.
 */
export function scriptCatalog(script: string | readonly Statement[]): Catalog {
  const created: Created = new Map();
  const statements = typeof script === 'string' ? readableStatements(script) : script;
  for (const statement of statements) apply(created, statement);
  return new ScriptCatalog(created);
}

function readableStatements(text: string): readonly Statement[] {
  return outlineScript(text).statements.flatMap(({ parsed }) =>
    parsed === undefined ? [] : [parsed.statement],
  );
}

function apply(created: Created, statement: Statement): void {
  if (statement.kind === 'with_suffixes') {
    apply(created, statement.statement);
    return;
  }
  const named = namedBy(statement);
  if (named === undefined) return;
  const { kind, name } = named;
  const ofKind = created.get(kind) ?? new Map<string, Statement>();
  created.set(kind, ofKind);
  if (/^(?:drop|delete)_/u.test(statement.kind)) ofKind.delete(name);
  else ofKind.set(name, statement);
}

/** What a statement creates or drops; the kind of statement tells. */
function namedBy(
  statement: Statement,
): { readonly kind: string; readonly name: string } | undefined {
  if (statement.kind === 'create_model') return statement.model;
  if (statement.kind === 'drop_model') return { kind: statement.modelKind, name: statement.name };
  const kind = /^(?:create|drop|delete)_(?<kind>.+)$/u.exec(statement.kind)?.groups?.['kind'];
  if (kind === undefined || !('name' in statement)) return undefined;
  return { kind, name: statement.name };
}

class ScriptCatalog implements Catalog {
  readonly #created: Created;

  constructor(created: Created) {
    this.#created = created;
  }

  names(reference: string): readonly string[] {
    const kinds =
      reference === 'runtime_node' ? RUNTIME_NODES : [REFERENCE_KINDS.get(reference) ?? reference];
    return kinds.flatMap((kind) => [...(this.#created.get(kind)?.keys() ?? [])]).sort();
  }

  fields(kind: string, name: string): readonly string[] {
    const statement = this.#created.get(kind)?.get(name);
    if (statement?.kind !== 'create_model') return [];
    const { model } = statement;
    if ('inputs' in model) return this.fields('relay', model.inputs.relays[0]?.relay ?? '');
    if (model.kind === 'ingestor') return this.#sourceFields(model);
    if ('schema' in model) return this.fields('schema', model.schema);
    return 'fields' in model ? model.fields.map((field) => field.name) : [];
  }

  hasHeaders(ingestor: string): boolean {
    const statement = this.#created.get('ingestor')?.get(ingestor);
    if (statement?.kind !== 'create_model' || statement.model.kind !== 'ingestor') return false;
    return isHeaderSource(statement.model.source.kind);
  }

  #sourceFields({ source, decodeUsing }: IngestorModel): readonly string[] {
    if ('schema' in source) return this.fields('schema', source.schema);
    return decodeUsing === null ? [] : this.fields('codec', decodeUsing);
  }
}
