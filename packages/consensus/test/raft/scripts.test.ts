import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readScripts } from '../support/script/golden-scripts.ts';
import { differenceIn, runScript } from '../support/script/run-script.ts';
import { blocksOf, parseScript, remarksOf, rewriteScript } from '../support/script/script-file.ts';

const isUpdating = process.env.UPDATE_SCRIPTS === '1';
const scripts = readScripts();
const titled = scripts.map((it) => ({ ...it, title: remarksOf(it.script, 'proves').join() }));

const SMALL = `# a comment

cluster 1
campaign 1
----
(what it prints)

log 1
----
`;

function run(text: string): () => unknown {
  return () => runScript(parseScript('small', text));
}

describe('CS-10 golden traces, which UPDATE_SCRIPTS=1 records anew', () => {
  test.each(titled)('$title ($script.name)', ({ script, file, text }) => {
    const outputs = runScript(script);
    expect(runScript(script), 'the same inputs give the same outputs').toEqual(outputs);
    const recorded = rewriteScript(script, outputs);
    if (isUpdating && recorded !== text) writeFileSync(file, recorded);
    else expect(differenceIn(script, outputs)).toBeUndefined();
  });

  test('every script says what it proves, by requirements', () => {
    expect(scripts.length).toBeGreaterThan(0);
    for (const { title } of titled) expect(title).toMatch(/^(CS|BC)-\d+/);
  });
});

describe('a script cannot pass without comparing', () => {
  test('any other line, missing line or further line is a difference at its place', () => {
    for (const { script } of readScripts()) {
      const outputs = blocksOf(script).map(({ expected }) => expected);
      expect(differenceIn(script, outputs)).toBeUndefined();
      for (const [block, { expected, place }] of blocksOf(script).entries()) {
        const first = Number(place.split(':')[1]);
        expect(expected.length, `${place} records something`).toBeGreaterThan(0);
        for (let line = 0; line <= expected.length; line += 1) {
          const { [line]: text = '' } = expected;
          const where = `${script.name}:${first + line}: `;
          const changed = [`${text}x`, ...(line < expected.length ? [undefined] : [])];
          for (const other of changed) {
            const lines = expected.toSpliced(line, 1, ...(other === undefined ? [] : [other]));
            const found = differenceIn(script, outputs.with(block, lines));
            // A line that repeats the one before is missed where the repetition ends.
            const isRepeated = other === undefined && expected[line + 1] === text;
            expect(found?.startsWith(isRepeated ? `${script.name}:` : where)).toBe(true);
          }
        }
      }
    }
  });

  test('a difference shows the commands and both texts', () => {
    const script = parseScript('small', SMALL);
    const difference = differenceIn(script, runScript(script));
    expect(difference?.split('\n').slice(0, 5)).toEqual([
      'small:6: the output differs',
      '> cluster 1',
      '> campaign 1',
      'recorded: (what it prints)',
      'printed:  1 campaign',
    ]);
  });

  test('what is recorded anew is what was printed, and the rest of the file stays', () => {
    const script = parseScript('small', SMALL);
    const again = parseScript('small', rewriteScript(script, runScript(script)));
    expect(differenceIn(again, runScript(again))).toBeUndefined();
    expect(again.parts.filter(({ kind }) => kind === 'remark')).toEqual(
      script.parts.filter(({ kind }) => kind === 'remark'),
    );
    for (const { script: each, text } of readScripts()) {
      const outputs = blocksOf(each).map(({ expected }) => expected);
      expect(rewriteScript(each, outputs)).toBe(text);
    }
  });
});

describe('a fault of a script names file and line', () => {
  test.each([
    ['cluster 1\n', "small:1: no line '----' follows"],
    ['cluster 1\n\n----\n', "small:1: no line '----' follows"],
    ['----\n', 'small:1: a rule follows at least one command'],
    ['# one\ntick 1\n----\n', "small:2: a script begins with 'cluster'"],
    ['cluster\n----\n', 'small:1: a cluster has voters'],
    ['cluster 1\n----\n\nwalk 1\n----\n', "small:4: there is no command 'walk'"],
    ['cluster 1\ncluster 1\n----\n', 'small:2: a script has one cluster'],
    ['cluster 1\ntick\n----\n', "small:2: 'tick' needs members or all"],
    ['cluster 1\ntick one\n----\n', "small:2: 'one' is not a whole number"],
    ['cluster 1\ntick 1 2 3\n----\n', "small:2: '3' means nothing to 'tick'"],
    ['cluster 1\ncampaign 2\n----\n', 'small:2: campaign 2: member 2 does not run'],
    ['cluster 1 2\ndeliver 1>2\n----\n', 'small:2: no such message is on its way'],
    ['cluster 1 2\nwrite 1\n----\n', 'small:2: nothing waits to be written'],
    ['cluster 1 2\nload 1\n----\n', 'small:2: no entries were asked for'],
    ['cluster 1 2\nsnapshot 1>2 arrives\n----\n', 'small:2: no snapshot is on its way'],
    ['cluster 1 2\nchange 1 paint:2\n----\n', "small:2: 'paint:2' is no change of members"],
    ['cluster 1 2 readMode=both\n----\n', "small:1: 'both' is no readMode"],
    ['cluster 1 2\nreceive 1>2 song\n----\n', "small:2: 'song' is no message that can be made up"],
  ])('%j', (text, message) => {
    expect(run(text)).toThrow(message);
  });
});
