import type { SchemaPlan } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { branchKeyOf } from '../../src/branch/branch-literals.js';

const required = (name: string, type: SchemaPlan['fields'][number]['type']) => ({
  name,
  type,
  optional: false,
  sensitive: false,
});
const schema: SchemaPlan = {
  name: 'key',
  fields: [
    required('site', 'STRING'),
    required('id', 'U64'),
    required('hot', 'BOOL'),
    required('since', 'DATETIME'),
  ],
};

describe('TX-10: the concrete key that literals spell', () => {
  test('every literal form becomes its typed value, exactly', () => {
    const key = branchKeyOf('b', schema, {
      site: 'a "b" \\ é',
      id: '18446744073709551615',
      hot: true,
      since: '2024-02-29T12:00:00+02:00',
    });
    expect(key?.text).toBe(
      '{"hot":true,"id":18446744073709551615,' +
        '"since":"2024-02-29T10:00:00+00:00","site":"a \\"b\\" \\\\ é"}',
    );
  });

  test.each([
    { site: 'a', id: '18446744073709551616', hot: true, since: '2024-02-29T12:00:00Z' },
    { site: 'a', id: '-1', hot: true, since: '2024-02-29T12:00:00Z' },
    { site: 'a', id: '1.5', hot: true, since: '2024-02-29T12:00:00Z' },
    { site: 'a', id: '1', hot: true, since: '2023-02-29T12:00:00Z' },
    { site: 'a', id: '1', hot: true },
  ])('a value outside its type spells no key: %o', (literals) => {
    expect(branchKeyOf('b', schema, literals as Record<string, string | boolean>)).toBeUndefined();
  });
});
