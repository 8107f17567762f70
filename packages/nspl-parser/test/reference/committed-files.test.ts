import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { renderReference } from '../../scripts/reference/reference.ts';
import { parseScript } from '../../src/index.ts';

const folder = path.resolve(import.meta.dirname, '../../../../docs/nspl');
const rendered = renderReference();

/** The committed files by their paths below the folder. */
function committed(): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    files
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [
        path.relative(folder, file).replaceAll(path.sep, '/'),
        readFileSync(file, 'utf8'),
      ]),
  );
}

test('docs/nspl is what `npm run -s docs:nspl` writes', () => {
  const files = committed();
  const names = [...new Set([...files.keys(), ...rendered.keys()])];
  expect(names.filter((name) => files.get(name) !== rendered.get(name))).toEqual([]);
});

test('the same grammar gives the same bytes', () => {
  expect(renderReference()).toEqual(rendered);
});

test('every statement on a page can be read', () => {
  const pages = [...rendered].filter(([name]) => name.endsWith('.md'));
  const texts = pages.flatMap(([name, page]) =>
    [...page.matchAll(/^```nspl\n([\s\S]*?)^```$/gmu)].map(([, text = '']) => ({ name, text })),
  );
  expect(texts.length).toBeGreaterThan(250);
  const refused = texts.filter(({ text }) => {
    const { statements, errors } = parseScript(text);
    return errors.length > 0 || statements.length === 0;
  });
  expect(refused).toEqual([]);
});

test('every diagram is shown on a page, and every one shown is there', () => {
  const diagrams = [...rendered.keys()].filter((name) => name.endsWith('.svg'));
  const shown = [...rendered].flatMap(([name, page]) =>
    name.endsWith('.md') ? [...page.matchAll(/!\[[^\]]*\]\(([^)]*)\)/gu)].map(([, at]) => at) : [],
  );
  expect([...new Set(shown)].sort()).toEqual(diagrams.sort());
});

test('links of diagrams lead to diagrams', () => {
  const dead = [...rendered].flatMap(([name, text]) =>
    name.endsWith('.svg')
      ? [...text.matchAll(/href="([^"]*)"/gu)]
          .map(([, link = '']) => path.posix.join(path.posix.dirname(name), link))
          .filter((target) => !rendered.has(target))
      : [],
  );
  expect(dead).toEqual([]);
});
