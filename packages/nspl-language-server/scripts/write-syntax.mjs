// `pnpm run generate`: writes the TextMate grammar from the parser's keywords.

import { writeFileSync } from 'node:fs';
import { textMateGrammarFile } from '../dist/textmate-grammar.js';

writeFileSync(new URL('../syntaxes/nspl.tmLanguage.json', import.meta.url), textMateGrammarFile());
