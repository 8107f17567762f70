import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The executable: Debian's package `chromium` has it; CHROMIUM names another one. */
const CHROMIUM = process.env['CHROMIUM'] ?? 'chromium';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

const RESULT = /<pre>([^<]*)<\/pre>/;

/**
 * Runs scripts one after the other in a page that may load nothing and evaluate no text as code.
 *
 * @param expression what is evaluated behind them; must give a string
 * @returns that string
 * @throws when the browser is missing, or with what a script threw
 */
export async function evaluateInChromium(
  scripts: readonly string[],
  expression: string,
): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'nspl-parser-chromium-'));
  try {
    const page = path.join(folder, 'page.html');
    await writeFile(page, pageOf(scripts, expression));
    const profile = `--user-data-dir=${path.join(folder, 'profile')}`;
    const dump = await run([...FLAGS, profile, '--dump-dom', pathToFileURL(page).href]);
    const [outcome, text = ''] = (RESULT.exec(dump)?.[1] ?? 'nothing').split(' ');
    if (outcome === 'done') return decodeURIComponent(text);
    throw new Error(`the page ended with ${outcome}: ${decodeURIComponent(text)}`);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function run(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: 2 ** 28, timeout: 60_000 };
    execFile(CHROMIUM, args, options, (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`cannot run '${CHROMIUM}': ${error.message}`, { cause: error }));
    });
  });
}

function pageOf(scripts: readonly string[], expression: string): string {
  const element = (script: string) =>
    // A closing tag inside a script would end it.
    `<script nonce="page">${script.replaceAll('</script', '<\\/script')}</script>`;
  const last = `
    if (!document.querySelector('pre').textContent.startsWith('error')) {
      document.querySelector('pre').textContent = 'done ' + encodeURIComponent(${expression});
    }`;
  return `<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-page'">
<pre>nothing</pre>
${element(`
    addEventListener('error', ({ message }) => {
      document.querySelector('pre').textContent = 'error ' + encodeURIComponent(message);
    });`)}
${[...scripts, last].map(element).join('\n')}`;
}
