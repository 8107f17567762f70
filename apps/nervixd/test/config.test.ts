import { describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';

describe('CL-106: nervixd completions', () => {
  test.each(['bash', 'fish', 'zsh'])('%s prints a script', (shell) => {
    const config = readConfig(['completions', shell], {});
    expect(config).toMatchObject({ kind: 'print', text: expect.stringContaining('nervixd') });
    expect(config).toMatchObject({ text: expect.stringContaining('print-config') });
  });

  test.each([
    [['elvish'], "there are none for 'elvish' in this release"],
    [['powershell'], "there are none for 'powershell' in this release"],
    [[], 'one shell is expected'],
    [['bash', 'zsh'], 'one shell is expected'],
  ])('%j is refused and says what is possible', (shells, fault) => {
    const text = `nervixd: completions: ${fault}; possible are bash, fish, zsh\n`;
    expect(readConfig(['completions', ...shells], {})).toEqual({ kind: 'refused', text });
  });

  test('is a command only in the first place', () => {
    const text = 'nervixd: completions: unexpected argument\n';
    expect(readConfig(['--log=warn', 'completions'], {})).toEqual({ kind: 'refused', text });
  });
});

test('CL-106: the help names the program’s own flags and its command', () => {
  const config = readConfig(['--help'], {});
  if (config.kind !== 'print') throw new Error('no help');
  for (const part of ['--print-config', '--version', '--help', 'completions bash|fish|zsh']) {
    expect(config.text).toContain(part);
  }
});
