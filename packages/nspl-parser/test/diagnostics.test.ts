import { describe, expect, test } from 'vitest';
import {
  type Diagnostic,
  diagnosticsJson,
  LineIndex,
  parseScript,
  type RenderOptions,
  renderDiagnostic,
  renderDiagnostics,
  renderExcerpt,
} from '../src/index.ts';

/** A diagnostic that points at the first occurrence of a part of the text. */
function at(text: string, pointed: string, message = 'odd'): Diagnostic {
  const start = Buffer.byteLength(text.slice(0, text.indexOf(pointed)));
  const span = { start, end: start + Buffer.byteLength(pointed) };
  return { code: 'NSPL_REFUSED', stage: 'parse', message, span };
}

/** A diagnostic that points behind the text. */
function atEnd(text: string): Diagnostic {
  const end = Buffer.byteLength(text);
  return { code: 'NSPL_SYNTAX', stage: 'parse', message: 'odd', span: { start: end, end } };
}

/** The rows below the arrow, each without the leading number or margin. */
function rows(text: string, diagnostic: Diagnostic): string[] {
  return renderDiagnostic(text, diagnostic).split('\n').slice(3);
}

describe('NSPL 10: lines with carets', () => {
  test('a place of the text is shown under its line', () => {
    const text = 'BEGIN;\nDROP relay x;\r\nSTOP;';
    expect(renderDiagnostic(text, at(text, 'x'), 'a.nspl')).toBe(
      ['parse error: odd', ' --> a.nspl:2:12', '  |', '2 | DROP relay x;', '  |            ^'].join(
        '\n',
      ),
    );
  });

  test.each([
    [
      'tabs before and within',
      '\ta\t"b\tc"\td',
      '"b\tc"',
      ['1 | \ta\t"b\tc"\td', '  | \t \t^^\t^^'],
    ],
    ['a tab alone', 'a\tb', '\t', ['1 | a\tb', '  |  ^']],
    ['wide characters', "'中文' é 😀 x", 'é', ["1 | '中文' é 😀 x", '  |        ^']],
    ['marked wide characters', "'中文😀' x", '中文😀', ["1 | '中文😀' x", '  |  ^^^^^^']],
    ['combining marks', 'e\u0301\u0301x', 'x', ['1 | e\u0301\u0301x', '  |  ^']],
    ['a combining mark alone', 'e\u0301x', '\u0301', ['1 | e\u0301x', '  |  ^']],
    ['joined emoji', '👩\u200d🚀x', 'x', ['1 | 👩\u200d🚀x', '  |     ^']],
    ['escape sequences', '\u001b[2Jx', 'x', ['1 | <U+001B>[2Jx', '  |            ^']],
    ['a byte order mark', '\ufeffx', '\ufeff', ['1 | <U+FEFF>x', '  | ^^^^^^^^']],
    ['a change of direction', '\u202ex', 'x', ['1 | <U+202E>x', '  |         ^']],
    ['half a pair', 'a\ud83dx', 'x', ['1 | a<U+D83D>x', '  |          ^']],
    ['a return inside the line', 'a\rb', 'b', ['1 | a<U+000D>b', '  |          ^']],
    ['the line break', 'a\r\nb', '\r\n', ['1 | a', '  |  ^']],
  ])('%s', (_name, text, pointed, expected) => {
    expect(rows(text, at(text, pointed))).toEqual(expected);
  });

  test('what a message quotes cannot act upon the terminal', () => {
    const [error] = parseScript("USE '\u001b[31m';").errors;
    expect(renderDiagnostic('', error!).split('\n')[0]).toBe(
      'parse error: expected ref:domain, found "<U+001B>[31m"',
    );
  });

  test('a span that begins inside a character begins with it', () => {
    const diagnostic = { ...at('é', 'é'), span: { start: 1, end: 2 } };
    expect(rows('é', diagnostic)).toEqual(['1 | é', '  | ^']);
  });

  test('a span behind the text points at its end', () => {
    const diagnostic = { ...at('a', 'a'), span: { start: 90, end: 99 } };
    expect(rows('a', diagnostic)).toEqual(['1 | a', '  |  ^']);
  });
});

describe('NSPL 10: the end of the input', () => {
  test.each([
    ['right behind the text', 'DROP', ['1 | DROP', '  |     ^']],
    ['behind the last line break', 'DROP\n', ['1 | DROP', '2 |', '  | ^']],
    ['behind blank lines', 'DROP\r\n\r\n \t', ['1 | DROP', '...', '3 |  \t', '  |  \t^']],
    ['of nothing', '', ['1 |', '  | ^']],
    ['of white space', '\n ', ['2 |  ', '  |  ^']],
  ])('%s', (_name, text, expected) => {
    expect(rows(text, atEnd(text))).toEqual(expected);
  });

  test('a line number that grows a digit moves the margin', () => {
    const text = `${'\n'.repeat(8)}DROP\n`;
    expect(renderDiagnostic(text, atEnd(text))).toBe(
      ['parse error: odd', '  --> nspl:10:1', '   |', ' 9 | DROP', '10 |', '   | ^'].join('\n'),
    );
  });
});

describe('NSPL 10: spans of several lines', () => {
  test('each line is marked without its indentation', () => {
    const text = 'USE $$a  \n  b\n\n  c$$ d';
    expect(rows(text, at(text, '$$a  \n  b\n\n  c$$'))).toEqual([
      '1 | USE $$a  ',
      '  |     ^^^',
      '2 |   b',
      '  |   ^',
      '3 |',
      '4 |   c$$ d',
      '  |   ^^^',
    ]);
  });

  test('long ones are shown by their ends', () => {
    const text = `x\n${'$$\n'.padEnd(41, 'y\n')}$$ z`;
    expect(rows(text, at(text, text.slice(2, -2)))).toEqual([
      ' 2 | $$',
      '   | ^^',
      ' 3 | y',
      '   | ^',
      '...',
      '22 | $$ z',
      '   | ^^',
    ]);
  });

  test('a span that ends with a line break stays on its line', () => {
    const text = 'BEGIN;\nSTOP;';
    expect(rows(text, at(text, 'BEGIN;\n'))).toEqual(['1 | BEGIN;', '  | ^^^^^^']);
  });
});

describe('NSPL 10: long lines are cut around the place', () => {
  const cells = (count: number): string => '0123456789'.repeat(count / 10);

  test('in the middle', () => {
    const text = `${cells(500)}<here>${cells(500)}`;
    expect(rows(text, at(text, '<here>'))).toEqual([
      `1 | …${cells(30)}<here>${cells(60)}0123…`,
      `  | ${' '.repeat(31)}^^^^^^`,
    ]);
  });

  test('at the start and at the end', () => {
    const text = `<a>${cells(500)}<b>`;
    expect(rows(text, at(text, '<a>'))).toEqual([`1 | <a>${cells(90)}0123456…`, '  | ^^^']);
    expect(rows(text, at(text, '<b>'))).toEqual([
      `1 | …3456789${cells(90)}<b>`,
      `  | ${' '.repeat(98)}^^^`,
    ]);
    expect(rows(text, atEnd(text))).toEqual([
      `1 | …3456789${cells(90)}<b>`,
      `  | ${' '.repeat(101)}^`,
    ]);
  });

  test('with a span that is longer than what is shown', () => {
    const text = `${cells(50)}${'y'.repeat(5000)}`;
    expect(rows(text, at(text, 'y'.repeat(5000)))).toEqual([
      `1 | …${cells(30)}${'y'.repeat(70)}…`,
      `  | ${' '.repeat(31)}${'^'.repeat(70)}`,
    ]);
  });

  test('by columns, never within a character', () => {
    const text = '😀'.repeat(999);
    const diagnostic = { ...at(text, '😀'), span: { start: 4 * 500, end: 4 * 501 } };
    expect(rows(text, diagnostic)).toEqual([`1 | …${'😀'.repeat(50)}…`, `  | ${' '.repeat(31)}^^`]);
  });

  test('a line of a hundred columns is shown whole', () => {
    expect(rows(cells(100), atEnd(cells(100)))[0]).toBe(`1 | ${cells(100)}`);
  });
});

describe('NSPL 10: several diagnostics', () => {
  const text = 'USE;\nDROP 中 x;\n';
  const both = [at(text, ';', 'first'), at(text, '中', 'second')];

  test('are shown in their order', () => {
    expect(renderDiagnostics(text, both, { source: 'a.nspl' })).toBe(
      [
        'parse error: first',
        ' --> a.nspl:1:4',
        '  |',
        '1 | USE;',
        '  |    ^',
        '',
        'parse error: second',
        ' --> a.nspl:2:6',
        '  |',
        '2 | DROP 中 x;',
        '  |      ^^',
      ].join('\n'),
    );
    expect(renderDiagnostics(text, [])).toBe('');
  });

  test('are shown in colours', () => {
    const options: RenderOptions = { hasColor: true };
    expect(renderDiagnostics(text, [both[0]!], options)).toBe(
      [
        '\u001b[1;31mparse error\u001b[0m\u001b[1m: first\u001b[0m',
        ' \u001b[34m-->\u001b[0m nspl:1:4',
        '\u001b[34m  |\u001b[0m',
        '\u001b[34m1 |\u001b[0m USE;',
        '\u001b[34m  |\u001b[0m \u001b[1;31m   ^\u001b[0m',
      ].join('\n'),
    );
  });

  test('are data with stable members', () => {
    expect(JSON.stringify(diagnosticsJson(text, both, 'a.nspl'))).toBe(
      '[{"code":"NSPL_REFUSED","stage":"parse","message":"first","source":"a.nspl",' +
        '"span":{"start":3,"end":4},"start":{"line":1,"column":4},"end":{"line":1,"column":5}},' +
        '{"code":"NSPL_REFUSED","stage":"parse","message":"second","source":"a.nspl",' +
        '"span":{"start":10,"end":13},"start":{"line":2,"column":6},"end":{"line":2,"column":7}}]',
    );
    const [tooLarge] = parseScript(' '.repeat(2 ** 24 + 1)).errors;
    expect(diagnosticsJson('', [tooLarge!])).toEqual([
      {
        code: 'NSPL_TOO_LARGE',
        stage: 'lex',
        message: 'text exceeds 16777216 bytes',
        source: 'nspl',
        span: { start: 0, end: 0 },
        start: { line: 1, column: 1 },
        end: { line: 1, column: 1 },
      },
    ]);
  });

  test('an excerpt stands without head and arrow', () => {
    expect(renderExcerpt(new LineIndex(text), both[1]!.span)).toEqual([
      '2 | DROP 中 x;',
      '  |      ^^',
    ]);
  });
});

/** Milliseconds that the fastest of three runs takes. */
function fastest(run: () => void): number {
  const times = [1, 2, 3].map(() => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return Math.min(...times);
}

describe('NSPL 15.6: a thousand diagnostics of a megabyte', () => {
  const million = 2 ** 20;
  test.each([
    ['many lines', 'é USE 😀 x;\n'.repeat(million / 16)],
    ['one line', '😀 x '.repeat(million / 8)],
    ['blank lines', `x${'\n'.repeat(million)}`],
  ])('of %s take little longer than one', (_name, text) => {
    const { length } = Buffer.from(text);
    const spread = Array.from({ length: 1000 }, (_unused, index): Diagnostic => {
      const start = Math.floor((length / 1000) * index);
      return { code: 'NSPL_SYNTAX', stage: 'parse', message: 'odd', span: { start, end: start } };
    });
    const one = fastest(() => renderDiagnostics(text, spread.slice(-1)));
    const all = fastest(() => renderDiagnostics(text, spread));
    expect(all).toBeLessThan(50 * one + 500);
    expect(renderDiagnostics(text, spread).split('\n\n')).toHaveLength(1000);
  });
});
