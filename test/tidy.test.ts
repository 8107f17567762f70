import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readTreeFile, root, treeFiles, withoutComments } from './support/tree.js';

const files = treeFiles();
const isCode = (file: string): boolean => /\.(ts|mts|mjs|cjs|js)$/.test(file);
const isTest = (file: string): boolean => /(^|\/)test\//.test(file);
const isGenerated = (file: string): boolean => /(cst-types|\.generated)\.ts$/.test(file);
const isLockFile = (file: string): boolean => /(pnpm-lock\.yaml|package-lock\.json)$/.test(file);
const isProse = (file: string): boolean => file.endsWith('.md');
const isText = (file: string): boolean =>
  isCode(file) ||
  isProse(file) ||
  /\.(json|ya?ml|nspl|txt|sh|toml|html|css)$/.test(file) ||
  /^(\.ci\/|scripts\/[^.]+$|\.[a-z]+$)/.test(file);
const written = files.filter((file) => !isGenerated(file) && !isLockFile(file));

/** The lines of the files that break a rule, as `file:line: text`. */
function violations(chosen: readonly string[], breaks: (line: string) => boolean): string[] {
  return chosen.flatMap((file) =>
    readTreeFile(file)
      .split('\n')
      .flatMap((line, index) =>
        breaks(line) ? [`${file}:${index + 1}: ${line.trim().slice(0, 100)}`] : [],
      ),
  );
}

test('code files hold at most 600 lines, tests at most 800', () => {
  const long = written.filter(isCode).flatMap((file) => {
    const lines = readTreeFile(file).split('\n').length - 1;
    return lines > (isTest(file) ? 800 : 600) ? [`${file}: ${lines} lines`] : [];
  });
  expect(long).toEqual([]);
});

test('lines hold at most 120 characters', () => {
  // A table row and a line with an address cannot be broken, nor can a canonical statement.
  const isUnbreakable = (line: string): boolean => /^\s*\||https?:\/\//.test(line);
  const chosen = written.filter(
    (file) => isCode(file) || (isProse(file) && !file.startsWith('docs/nspl/')),
  );
  expect(violations(chosen, (line) => line.length > 120 && !isUnbreakable(line))).toEqual([]);
});

test('files and folders have kebab-case names', () => {
  const isFine = (name: string): boolean =>
    /^\.?[a-z0-9]+(?:[-.][a-z0-9]+)*(?:\.tmLanguage\.json)?$/.test(name) ||
    /^[A-Z_]+(?:\.md)?$/.test(name);
  const isBanned = (name: string): boolean =>
    /(^|[-.])(manager|helpers?|utils?|common|legacy|misc)([-.]|$)/.test(name);
  const odd = files.filter((file) =>
    file.split('/').some((name) => !isFine(name) || isBanned(name)),
  );
  expect(odd).toEqual([]);
});

/** The anchors that headings of a document give, as common Markdown renderers form them. */
function anchorsOf(document: string): Set<string> {
  const anchors = new Set<string>();
  for (const match of document.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const text = (match[1] ?? '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = text.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    let unique = slug;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${slug}-${count}`;
    anchors.add(unique);
  }
  for (const match of document.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(match[1] ?? '');
  return anchors;
}

function isDeadLink(file: string, target: string): boolean {
  const [place = '', anchor] = decodeURIComponent(target).split('#');
  const linked = place === '' ? file : path.posix.join(path.posix.dirname(file), place);
  if (linked.startsWith('..') || !existsSync(path.join(root, linked))) return true;
  if (!anchor || !isProse(linked)) return false;
  return !anchorsOf(readTreeFile(linked)).has(anchor);
}

test('relative links in Markdown lead somewhere', () => {
  const dead = written.filter(isProse).flatMap((file) => {
    const text = readTreeFile(file)
      .replace(/^(```|~~~)[\s\S]*?^\1/gm, '')
      .replace(/`[^`\n]*`/g, '');
    return [...text.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g)]
      .map((match) => match[1] ?? '')
      .filter((target) => !/^([a-z][a-z+.-]*:|\/\/)/i.test(target) && isDeadLink(file, target))
      .map((target) => `${file}: ${target}`);
  });
  expect(dead).toEqual([]);
});

test('the tree names no place outside of itself and leaves nothing half done', () => {
  const banned: readonly RegExp[] = [
    /\.\.\/shared\b/,
    /(^|[\s"'`(=:])\/(work|root|home\/[a-z]+)\//,
    /\bregistry\.(npmjs|yarnpkg)\b/,
    /\bTODO\b(?!\s*\(#\d+\))/,
    /\b(FIXME|XXX)\b/,
  ];
  const chosen = written.filter((file) => isText(file) && file !== 'test/tidy.test.ts');
  const breaks = (line: string): boolean => banned.some((pattern) => pattern.test(line));
  expect(violations(chosen, breaks)).toEqual([]);
});

test('lock files name no registry host', () => {
  expect(violations(files.filter(isLockFile), (line) => /https?:\/\//.test(line))).toEqual([]);
});

test('no test is focused or switched off', () => {
  const pattern = /\b(it|test|describe|suite|bench)\b[\w.]*\.(only|skip|todo|skipIf|runIf)\b/;
  const chosen = files.filter(
    (file) => isCode(file) && isTest(file) && file !== 'test/tidy.test.ts',
  );
  expect(violations(chosen, (line) => pattern.test(line))).toEqual([]);
});

test('pure packages hold no randomness and no asynchronous code', () => {
  const pure =
    /^packages\/((model|nspl-parser|planner|scheduler|protocol)\/src|consensus\/src\/raft)\//;
  const pattern =
    /\bMath\.random\b|\basync\s+(function|\*|\(|\w+\s*(\(|=>))|\bawait\s|\bnew Promise\b/;
  const impure = files
    .filter((file) => pure.test(file) && !file.startsWith('packages/planner/src/cli/'))
    .flatMap((file) =>
      withoutComments(readTreeFile(file))
        .split('\n')
        .flatMap((line, index) =>
          pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
        ),
    );
  expect(impure).toEqual([]);
});
