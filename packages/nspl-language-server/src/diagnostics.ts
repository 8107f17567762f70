import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver';
import type { SourceDocument } from './source-document.js';

/** What the parser refuses, as an editor shows it. */
export function diagnose(document: SourceDocument): Diagnostic[] {
  return document.outline.errors.map(({ code, message, span, hint }) => ({
    range: document.rangeOf(span),
    severity: DiagnosticSeverity.Error,
    code,
    source: 'nspl',
    message: hint === undefined ? message : `${message}\n${hint}`,
  }));
}
