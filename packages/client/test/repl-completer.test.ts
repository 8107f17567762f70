import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { completeLine } from '../src/cli/repl-completer.js';
import type { Suggestion, SuggestOptions } from '../src/index.js';

/** Suggests these texts in place of the bytes of the input, and keeps what it was asked. */
function suggesting(
  start: number,
  end: number,
  texts: readonly string[],
  kind: Suggestion['kind'] = 'Text',
) {
  const asked: SuggestOptions[] = [];
  const suggest = (options: SuggestOptions): Promise<readonly Suggestion[]> => {
    asked.push(options);
    return Promise.resolve(
      texts.map((value) => ({ value, kind, edit: { start, end, replacement: value } })),
    );
  };
  return { asked, suggest };
}

describe('completion of a line (CL-78, CL-83)', () => {
  test('byte places become places of the line, over what was typed before it', async () => {
    const before = 'CREATE // grün 🙂\n';
    const line = 'REL now';
    const bytes = Buffer.byteLength(before);
    const { asked, suggest } = suggesting(bytes, bytes + 3, ['RELAY', 'RELOCATION']);
    expect(await completeLine({ before, line, cursor: 2 }, suggest)).toEqual({
      candidates: ['RELAY', 'RELOCATION'],
      replaced: 'RE',
      // The rest of the word goes with it.
      tailLength: 1,
    });
    expect(asked).toEqual([{ input: before + line, cursor: bytes + 2 }]);
  });

  test('suggestions for another place than the first are left out', async () => {
    const { suggest } = suggesting(0, 2, ['START']);
    const mixed = async (options: SuggestOptions): Promise<readonly Suggestion[]> => [
      ...(await suggest(options)),
      { value: 'x', kind: 'Text', edit: { start: 2, end: 2, replacement: 'x' } },
    ];
    const { candidates } = await completeLine({ before: '', line: 'ST', cursor: 2 }, mixed);
    expect(candidates).toEqual(['START']);
  });

  test('a word that began on a line before stays as it is', async () => {
    const { suggest } = suggesting(0, 4, ['STOP']);
    const typed = { before: 'ST\n', line: 'O', cursor: 1 };
    expect((await completeLine(typed, suggest)).candidates).toEqual([]);
  });

  test('local paths come from the local folder', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'nervix-paths-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(path.join(folder, 'certs'));
    writeFileSync(path.join(folder, 'certain.txt'), '');
    writeFileSync(path.join(folder, 'other'), '');
    const line = `UPLOAD RESOURCE c VERSION '${folder}/cert`;
    const start = line.indexOf('/');
    const { suggest } = suggesting(start, line.length, ['typed'], 'LocalPath');
    const completion = await completeLine({ before: '', line, cursor: line.length }, suggest);
    expect([...completion.candidates].sort()).toEqual([
      path.join(folder, 'certain.txt'),
      `${path.join(folder, 'certs')}/`,
    ]);
    expect(completion.replaced).toBe(`${folder}/cert`);
    const nowhere = suggesting(0, 9, ['typed'], 'LocalPath');
    const missing = { before: '', line: '/no/where', cursor: 9 };
    expect((await completeLine(missing, nowhere.suggest)).candidates).toEqual([]);
  });
});
