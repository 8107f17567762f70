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

/**
 * Opens a page from a file of its own and gives the document that its scripts leave behind.
 *
 * @param html the page
 * @throws when the browser is missing or does not end
 */
export async function renderedInChromium(html: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'nervix-chromium-'));
  try {
    const page = path.join(folder, 'page.html');
    await writeFile(page, html);
    const profile = `--user-data-dir=${path.join(folder, 'profile')}`;
    return await run([...FLAGS, profile, '--dump-dom', pathToFileURL(page).href]);
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
