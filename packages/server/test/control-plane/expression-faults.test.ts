import { expect, test } from 'vitest';
import { openWithRelay } from '../support/control-node.ts';

const junction = (filter: string) =>
  `CREATE JUNCTION j FROM r FILTER WHERE ${filter} UNBRANCHED
     TO r INHERIT ALL FLUSH IMMEDIATE ON MESSAGE ERROR LOG;`;

test('CP-57, TX-48: the first fault of an expression answers, each is shown where it stands', async () => {
  const node = await openWithRelay();
  const text = junction('input.idd > 1 AND lenght(input.tenant) = 2');
  const error = await node.refuse(text);
  expect(error.code).toBe('INVALID_MODEL');
  expect(error.message).toContain("FILTER WHERE compile failed: unknown input field 'idd'");
  const places = error.diagnostics.map(({ span, hint }) => [
    span === undefined ? '' : text.slice(span.start, span.end),
    hint,
  ]);
  expect(places).toEqual([
    ['input.idd', 'did you mean id?'],
    ['lenght(input.tenant)', 'did you mean length?'],
  ]);
});

test('what is typed and cannot be run is refused where it stands', async () => {
  const node = await openWithRelay();
  await node.run('CREATE UDF old WITH ROTO_0_13 ARGS (x I64) RETURNS I64 CODE $$?$$;');
  const text = junction('udf::old(input.id) > 1 AS I64');
  const error = await node.refuse(text);
  expect(error.message).toContain('calls of UDFs in ROTO_0_13 are not supported by this release');
  const [diagnostic] = error.diagnostics;
  const { start = 0, end = 0 } = diagnostic?.span ?? {};
  expect(text.slice(start, end)).toBe('udf::old(input.id)');
});
