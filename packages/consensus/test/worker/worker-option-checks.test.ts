import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { located, uncloneable } from '../../src/worker/worker-option-checks.ts';

const here = pathToFileURL(path.resolve('machine.js')).href;

test.each([
  [new URL('file:///a/machine.js'), 'file:///a/machine.js'],
  ['file:///a/machine.js', 'file:///a/machine.js'],
  ['data:text/javascript,export default 1', 'data:text/javascript,export default 1'],
  ['/a/machine.js', 'file:///a/machine.js'],
  ['./machine.js', here],
  ['machine.js', here],
  ['../b/./machine.js', pathToFileURL(path.resolve('../b/machine.js')).href],
])('a module named by %s is at %s', (url, absolute) => {
  const module = { url, name: 'make', argument: 5 };
  expect(located(module)).toEqual({ ...module, url: absolute });
});

test('what cannot be copied is an option that cannot be used, and nothing else is', () => {
  let thrown: unknown;
  try {
    structuredClone(() => {});
  } catch (error) {
    thrown = error;
  }
  expect(uncloneable(thrown)).toMatchObject({
    code: 'RAFT_INVALID_OPTION',
    details: { option: 'argument', problem: expect.stringContaining('cannot be copied') },
  });
  const other = new TypeError('something else');
  expect(uncloneable(other)).toBe(other);
});
