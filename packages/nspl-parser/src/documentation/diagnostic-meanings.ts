import type { DiagnosticCode } from '../diagnostics.js';

/** What the codes of diagnostics mean. */
export const DIAGNOSTIC_MEANINGS: Readonly<Record<DiagnosticCode, string>> = {
  NSPL_TOO_LARGE: 'The text is longer than 16 MiB and was not looked at.',
  NSPL_LEX: 'A part of the text is no token, so that no statement of it was read.',
  NSPL_SYNTAX: 'A token stands where the grammar has others, which the message lists.',
  NSPL_REFUSED: 'The grammar has it, yet the language does not allow it; the message says why.',
  NSPL_TOO_MANY: 'A thousand statements were refused before; the rest of the text was not read.',
};
