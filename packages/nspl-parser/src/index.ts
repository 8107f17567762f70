export type { Catalog } from './completion/catalog.js';
export { completeAt } from './completion/complete-at.js';
export type {
  Completion,
  CompletionItem,
  CompletionKind,
  LocalPath,
} from './completion/completion.js';
export { scriptCatalog } from './completion/script-catalog.js';
export { type Diagnostic, type DiagnosticCode, summarize } from './diagnostics.js';
export { shownText } from './display-cells.js';
export { type FaultSubject, faultPlace, namePlaces } from './fault-place.js';
export { type FormatResult, format } from './format/format.js';
export type { GrammarForm } from './grammar-form.js';
export { KEYWORDS } from './keywords.js';
export { type LineColumn, LineIndex, lineColumn } from './line-index.js';
export {
  type NameInText,
  outlineScript,
  type ScriptOutline,
  type StatementOutline,
  type WordInText,
  wordsIn,
} from './outline.js';
export { parseScript, parseStatement, type ScriptResult } from './parse.js';
export {
  type ConstructionResult,
  type ExpressionListResult,
  type ExpressionResult,
  parseConstruction,
  parseExpression,
  parseExpressionList,
} from './parse-part.js';
export { printDocument } from './printer/document.js';
export { printExpression } from './printer/expression.js';
export { type PrintOptions, printModel } from './printer/model.js';
export { printQuiesce } from './printer/models/source.js';
export { printStatement } from './printer/statement.js';
export { UnprintableError } from './printer/unprintable-error.js';
export { referencedKinds } from './reference-kinds.js';
export {
  type DiagnosticJson,
  diagnosticsJson,
  type RenderOptions,
  renderDiagnostic,
  renderDiagnostics,
  renderExcerpt,
} from './render-diagnostic.js';
export { SOURCE_BYTES_MAX, tooLarge } from './source.js';
export { ByteOffsets } from './spans.js';
export type { ParsedStatement, ParseOptions, StatementResult } from './statement-reader.js';
