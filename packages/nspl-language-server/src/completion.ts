import { printSignatures, type Statement } from '@nervix/model';
import { type CompletionKind, completeAt, scriptCatalog, wordsIn } from '@nervix/nspl-parser';
import { clauseEntryAt, statementEntryOfWords } from '@nervix/nspl-parser/documentation';
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import { functionOf } from './function-words.js';
import type { SourceDocument } from './source-document.js';

const ICONS: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  keyword: CompletionItemKind.Keyword,
  phrase: CompletionItemKind.Keyword,
  punctuation: CompletionItemKind.Operator,
  reference: CompletionItemKind.Reference,
  version: CompletionItemKind.Value,
  function: CompletionItemKind.Function,
  field: CompletionItemKind.Field,
};

/**
 * What may stand at a byte offset of a document.
 *
 * @param documents the scripts whose definitions can be referred to
 */
export function complete(
  document: SourceDocument,
  offset: number,
  documents: readonly SourceDocument[],
): CompletionItem[] {
  const catalog = scriptCatalog(documents.flatMap(statementsOf));
  const { items, replace } = completeAt(document.text, offset, catalog);
  const range = document.rangeOf(replace);
  const summaryOf = clauseSummaries(document, offset);
  return items.map(({ label, kind, insertText, detail }, index) => ({
    label,
    kind: ICONS[kind],
    textEdit: { range, newText: insertText },
    // Clients sort by text where they are not told otherwise.
    sortText: String(index).padStart(5, '0'),
    ...(detail === undefined ? {} : { detail }),
    ...summaryOf(label, kind),
  }));
}

/** What the clauses and functions are for that may be offered in the statement at a byte offset. */
function clauseSummaries(
  document: SourceDocument,
  offset: number,
): (label: string, kind: CompletionKind) => Pick<CompletionItem, 'detail' | 'documentation'> {
  const statement = document.outline.statements.findLast(({ span }) => span.start < offset);
  const text = statement === undefined ? '' : document.textOf(statement.span);
  const isBehind = text.endsWith(';') && (statement?.span.end ?? 0) <= offset;
  const words = wordsIn(isBehind ? '' : text).map((word) => word.text);
  const entry = statementEntryOfWords(words);
  return (label, kind) => {
    if (kind === 'function') return functionSummary(label);
    if (entry === undefined || (kind !== 'keyword' && kind !== 'phrase')) return {};
    const summary = clauseEntryAt(entry, label.split(' '), 0)?.clause.summary;
    return summary === undefined ? {} : { documentation: summary };
  };
}

function functionSummary(label: string): Pick<CompletionItem, 'detail' | 'documentation'> {
  const definition = functionOf(label);
  if (definition === undefined) return {};
  return {
    detail: printSignatures(definition).join('\n'),
    documentation: definition.summary,
  };
}

function statementsOf(document: SourceDocument): Statement[] {
  return document.outline.statements.flatMap(({ parsed }) =>
    parsed === undefined ? [] : [parsed.statement],
  );
}
