import { INVALID_ARGUMENT } from './failure-kind.js';
import type { BuiltinFunction } from './function-signature.js';
import { count, familyOf, signature, text, texts } from './signature-builder.js';

const define = familyOf('pattern');
const MAY_FAIL = { failures: [INVALID_ARGUMENT] };
const like = signature([text('text'), text('pattern')], 'BOOL', MAY_FAIL);

/** Patterns over STRING. */
export const PATTERN_FUNCTIONS: readonly BuiltinFunction[] = [
  define(
    'contains_any',
    'Whether the text holds any text of a list.',
    signature([text('text'), texts('list')], 'BOOL', MAY_FAIL),
  ),
  define('like', 'Whether the whole text matches a pattern of % and _.', like),
  define('ilike', 'Like like, whatever the case of letters.', like),
  define(
    'regexp_like',
    'Whether a regular expression matches anywhere in the text.',
    signature([text('text'), text('pattern')], 'BOOL', MAY_FAIL),
  ),
  define(
    'regexp_replace',
    'The text with every match replaced; $ and a number or name insert a group.',
    signature([text('text'), text('pattern'), text('replacement')], 'STRING', MAY_FAIL),
  ),
  define(
    'regexp_substr',
    'The first match of a regular expression; null without one.',
    signature([text('text'), text('pattern')], 'STRING', { ...MAY_FAIL, nullability: 'always' }),
  ),
  define(
    'regexp_extract',
    'A group of the first match; null where it took no part.',
    signature([text('text'), text('pattern'), count('group')], 'STRING', {
      ...MAY_FAIL,
      nullability: 'always',
    }),
  ),
];
