import type { Statement } from '@nervix/model';
import { outlineScript } from '../outline.js';
import { referencedKinds } from '../reference-kinds.js';
import type { Catalog } from './catalog.js';
import { isHeaderSource } from './header-transports.js';
import { type Definition, ScriptDefinitions } from './script-definitions.js';

/**
 * The catalog of a script: what its statements create, as those behind them alter it, and do not
 * drop again. A statement that cannot be read creates nothing, so that one under work does not hide
 * the others.
 */
export function scriptCatalog(script: string | readonly Statement[]): Catalog {
  const definitions = new ScriptDefinitions();
  const statements = typeof script === 'string' ? readableStatements(script) : script;
  for (const statement of statements) definitions.apply(statement);
  return new ScriptCatalog(definitions);
}

function readableStatements(text: string): readonly Statement[] {
  return outlineScript(text).statements.flatMap(({ parsed }) =>
    parsed === undefined ? [] : [parsed.statement],
  );
}

class ScriptCatalog implements Catalog {
  readonly #definitions: ScriptDefinitions;

  constructor(definitions: ScriptDefinitions) {
    this.#definitions = definitions;
  }

  names(reference: string): readonly string[] {
    const names = referencedKinds(reference).flatMap((kind) => this.#definitions.names(kind));
    // Nodes of different kinds may have the same name.
    return [...new Set(names)].sort();
  }

  fields(kind: string, name: string): readonly string[] {
    const definition = this.#definitions.find(kind, name);
    return definition === undefined ? [] : this.#fieldsOf(definition);
  }

  hasHeaders(ingestor: string): boolean {
    const definition = this.#definitions.find('ingestor', ingestor);
    return definition?.kind === 'source' && isHeaderSource(definition.source.kind);
  }

  #fieldsOf(definition: Definition): readonly string[] {
    switch (definition.kind) {
      case 'fields':
        return definition.fields;
      case 'schema':
        return this.fields('schema', definition.schema);
      case 'inputs':
        return this.fields('relay', definition.relays[0] ?? '');
      case 'source': {
        const { source, decodeUsing } = definition;
        if ('schema' in source) return this.fields('schema', source.schema);
        return decodeUsing === null ? [] : this.fields('codec', decodeUsing);
      }
      default:
        return [];
    }
  }
}
