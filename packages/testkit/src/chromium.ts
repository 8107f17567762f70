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
  return inFolder(async (folder) => {
    const page = path.join(folder, 'page.html');
    await writeFile(page, html);
    return dumpOf(pathToFileURL(page).href, folder);
  });
}

/**
 * Opens a page of a server and gives the document that is there when all of it has loaded. A page
 * whose scripts take longer keeps something of it loading until they are done.
 *
 * @throws when the browser is missing or does not end
 */
export function visitedInChromium(url: string): Promise<string> {
  return inFolder((folder) => dumpOf(url, folder));
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'nervix-chromium-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function dumpOf(address: string, folder: string): Promise<string> {
  const profile = `--user-data-dir=${path.join(folder, 'profile')}`;
  return run([...FLAGS, profile, '--dump-dom', address]);
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
