export type { Catalog } from './completion/catalog.js';
export { completeAt } from './completion/complete-at.js';
export type {
  Completion,
  CompletionItem,
  CompletionKind,
  LocalPath,
} from './completion/completion.js';
export { scriptCatalog } from './completion/script-catalog.js';
export {
  type Diagnostic,
  type DiagnosticCode,
  type LineColumn,
  lineColumn,
  renderDiagnostic,
  summarize,
} from './diagnostics.js';
export { KEYWORDS } from './keywords.js';
export {
  type NameInText,
  outlineScript,
  type ScriptOutline,
  type StatementOutline,
} from './outline.js';
export {
  type ExpressionResult,
  type ParsedStatement,
  parseExpression,
  parseScript,
  parseStatement,
  type ScriptResult,
  SOURCE_BYTES_MAX,
  type StatementResult,
} from './parse.js';
export { printExpression } from './printer/expression.js';
export { printModel } from './printer/model.js';
export { printStatement } from './printer/statement.js';
export { ByteOffsets } from './spans.js';
