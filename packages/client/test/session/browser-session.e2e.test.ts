import { fileURLToPath } from 'node:url';
import { startNervixd, visitedInChromium } from '@nervix/testkit';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { ScriptFolder } from '../support/script-folder.js';
import { startBrowserHost } from '../support/session/browser-host.js';

const PACKAGE = fileURLToPath(new URL('../../dist/index.js', import.meta.url));

/** What a page does with the package, which it has as `Nervix`. */
const SCRIPT = `
async function run() {
  const client = await Nervix.connect({
    server: location.origin, user: 'default', password: 'pä:ss', domain: 'shop', transport: 'session',
  });
  const seen = [];
  seen.push((await client.execute('CREATE DOMAIN shop;')).disposition.t);
  const transaction = await client.transaction();
  await transaction.append('CREATE SCHEMA a (id I64);');
  const found = await transaction.suggest({ input: 'CREATE RELAY r SCHEMA ' });
  seen.push(found.some(({ value }) => value === 'a'));
  await transaction.commit();
  seen.push(transaction.state);
  seen.push(await client.execute('CREATE SCHEMA a (id I64);').catch((error) => error.code));
  await client.close();
  const stranger = new Nervix.Client({
    server: location.origin, user: 'default', password: 'wrong', transport: 'session',
  });
  seen.push(await stranger.execute('STOP').catch((error) => error.code));
  return JSON.stringify(seen);
}`;

test('CL-5, CL-72: a page in Chromium has sessions with a node, by tickets', async () => {
  const node = await startNervixd({
    dbPath: (await ScriptFolder.create({})).root,
    env: { NERVIX_INIT_DEFAULT_USER_PASSWORD: 'pä:ss', NERVIX_LOG: 'warn' },
  });
  onTestFinished(async () => void (await node.kill9()));
  const { outputFiles, metafile } = await build({
    entryPoints: [PACKAGE],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'browser',
    target: 'es2024',
    format: 'iife',
    globalName: 'Nervix',
    logLevel: 'silent',
  });
  const imports = Object.values(metafile.inputs).flatMap((file) => file.imports);
  expect(imports.filter(({ external }) => external)).toEqual([]);
  const script = `${outputFiles[0]?.text ?? ''}\n${SCRIPT}`;
  const { page } = await startBrowserHost(script, node.addresses.session);
  const [, shown = ''] = /<pre>([^<]*)<\/pre>/.exec(await visitedInChromium(page)) ?? [];
  expect(JSON.parse(shown)).toEqual([
    'CommandCompleted',
    true,
    'Committed',
    'ALREADY_EXISTS',
    'CLIENT_AUTHENTICATION_FAILED',
  ]);
});
