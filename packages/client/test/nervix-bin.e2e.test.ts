import { expect, test } from 'vitest';
import { runBuilt } from './support/built-nervix.js';
import { startCommandServer } from './support/command-server.js';

test('the built command runs a statement (CL-81, CL-87)', async () => {
  await using server = await startCommandServer();
  const result = await runBuilt(['--server', server.url, '--command', 'STOP']);
  expect(result).toEqual({ code: 0, stdout: 'done: stop\n' });
});

test('the built command formats a script (CL-89)', async () => {
  const result = await runBuilt(['format', '-'], 'begin;// x\n use  D');
  expect(result).toEqual({ code: 0, stdout: 'BEGIN; // x\nUSE d;\n' });
});
