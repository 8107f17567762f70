import { readFileSync } from 'node:fs';
import type { Model } from '@nervix/model';
import { parseScript } from '@nervix/nspl-parser';
import { expect, test } from 'vitest';
import { domainModels, domainPlacement } from '../../src/index.js';

const root = new URL('../../../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');

function createdModels(script: string): readonly Model[] {
  const { statements, errors } = parseScript(script);
  expect(errors).toEqual([]);
  return statements.flatMap(({ statement }) =>
    statement.kind === 'create_model' ? [statement.model] : [],
  );
}

test('PS-1 PS-9 the rule of the README covers a path of the flights example', () => {
  const rule =
    /`(CREATE PLACEMENT [^`]+)`/.exec(read('README.md').replaceAll('\n', ' '))?.[1] ?? '';
  const script = `${read('examples/flights/pipeline.nspl')}\n${rule};`;
  const outcome = domainPlacement({
    domain: 'flights',
    models: domainModels(createdModels(script)),
    defaultPolicy: 'NEUTRAL',
  });
  expect(outcome).toMatchObject({
    kind: 'resolved',
    placement: { coverage: [{ state: 'effective' }], groups: [{}] },
  });
});
