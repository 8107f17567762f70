import { type DocumentSymbol, SymbolKind } from 'vscode-languageserver';
import { namedPlaces } from './named-places.js';
import type { SourceDocument } from './source-document.js';

/** Symbols by kind; what has none only names something. */
const KINDS: Readonly<Partial<Record<string, SymbolKind>>> = {
  branch: SymbolKind.Key,
  client: SymbolKind.Object,
  codec: SymbolKind.Operator,
  correlator: SymbolKind.Class,
  deduplicator: SymbolKind.Class,
  domain: SymbolKind.Namespace,
  emitter: SymbolKind.Class,
  endpoint: SymbolKind.Interface,
  generator: SymbolKind.Class,
  hash_map: SymbolKind.Array,
  inferencer: SymbolKind.Class,
  ingestor: SymbolKind.Class,
  junction: SymbolKind.Class,
  reingestor: SymbolKind.Class,
  relay: SymbolKind.Event,
  reorderer: SymbolKind.Class,
  resource: SymbolKind.File,
  schema: SymbolKind.Struct,
  signaling_protocol: SymbolKind.Interface,
  subscription: SymbolKind.Event,
  udf: SymbolKind.Function,
  vhost: SymbolKind.Module,
  wasm_processor: SymbolKind.Class,
  window_processor: SymbolKind.Class,
  wire_avro_schema: SymbolKind.Struct,
  wire_cbor_schema: SymbolKind.Struct,
  wire_json_schema: SymbolKind.Struct,
};

/** What a script creates, with the fields of schemas below them. */
export function documentSymbols(document: SourceDocument): DocumentSymbol[] {
  return namedPlaces(document.outline).flatMap((place) => {
    const { role, kind, name, span, statement } = place;
    if (role === 'reference' || statement.head !== 'CREATE') return [];
    const symbol: DocumentSymbol = {
      name,
      detail: kind.replaceAll('_', ' '),
      kind: KINDS[kind] ?? SymbolKind.Constant,
      range: document.rangeOf(statement.span),
      selectionRange: document.rangeOf(span),
    };
    if (kind.endsWith('schema')) {
      const fields = statement.names.filter(({ label }) => label === 'field_name');
      symbol.children = fields.map((field) => {
        const range = document.rangeOf(field.span);
        return { name: field.name, kind: SymbolKind.Field, range, selectionRange: range };
      });
    }
    return [symbol];
  });
}
