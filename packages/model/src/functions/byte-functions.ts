import { CAST_FAILED, OVERFLOW } from './failure-kind.js';
import type { BuiltinFunction } from './function-signature.js';
import { exact, familyOf, signature, text } from './signature-builder.js';

const define = familyOf('bytes');
const encode = signature([exact('bytes', 'BYTES')], 'STRING', { failures: [OVERFLOW] });
const decode = signature([text('text')], 'BYTES', { failures: [CAST_FAILED] });

/** Functions over BYTES, and the ways between BYTES and STRING. */
export const BYTE_FUNCTIONS: readonly BuiltinFunction[] = [
  define('bytes_from_utf8', 'The bytes of a text in UTF-8.', signature([text('text')], 'BYTES')),
  define(
    'bytes_to_utf8',
    'The text that the bytes are in UTF-8.',
    signature([exact('bytes', 'BYTES')], 'STRING', { failures: [CAST_FAILED] }),
  ),
  define('base64_encode', 'The bytes in padded Base64.', encode),
  define('base64_decode', 'The bytes that padded Base64 stands for.', decode),
  define('hex_encode', 'The bytes in lower-case hexadecimal.', encode),
  define('hex_decode', 'The bytes that hexadecimal stands for.', decode),
  define('sha256', 'SHA-256 digest.', signature([exact('bytes', 'BYTES')], 'BYTES')),
  define(
    'xxh3_64',
    'XXH3 hash of 64 bits with seed 0.',
    signature([exact('bytes', 'BYTES')], 'U64'),
  ),
];
