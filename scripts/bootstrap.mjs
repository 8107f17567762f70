// Takes a machine that has only Node 18 (or newer) and npm to an installed and built work tree.
// Plain JavaScript without dependencies: it runs before anything is installed, on the machine's
// own Node. Each stage leaves a stamp, so that a second run does nothing and needs no network.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const toolchain = path.join(root, 'scripts', 'toolchain');
const toolchainModules = path.join(toolchain, 'node_modules');
const nodeFloor = [22, 19];
const lockWaitMs = 15 * 60 * 1000;

/** An error whose message says everything: printed without a stack. */
export class BootstrapError extends Error {}

const progress = (text) => process.stderr.write(`[nervix] ${text}\n`);

function isGlibc() {
  if (process.platform !== 'linux') return true;
  return Boolean(process.report.getReport().header.glibcVersionRuntime);
}

/** The pinned Node, or the machine's own where no build is pinned and its version suffices. */
function nodePath() {
  const os = process.platform === 'win32' ? 'win' : process.platform;
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  const pinned = path.join(toolchainModules, `node-${os}-${process.arch}`, 'bin', file);
  if (isGlibc() && existsSync(pinned)) return pinned;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > nodeFloor[0] || (major === nodeFloor[0] && minor >= nodeFloor[1])) {
    return process.execPath;
  }
  throw new BootstrapError(
    `no Node build is pinned for ${process.platform}-${process.arch}, and this machine's Node ` +
      `${process.versions.node} is older than ${nodeFloor.join('.')}: install a newer Node.`,
  );
}

/** The command line that runs the pinned pnpm: its own executable, or its script under Node. */
function pnpmCommand() {
  const libc = isGlibc() ? '' : '-musl';
  const name = `exe.${process.platform}-${process.arch}${libc}`;
  const file = process.platform === 'win32' ? 'pnpm.exe' : 'pnpm';
  const executable = path.join(toolchainModules, '@pnpm', name, file);
  if (existsSync(executable)) return [executable];
  const script = path.join(toolchainModules, 'pnpm', 'bin', 'pnpm.mjs');
  if (existsSync(script)) return [nodePath(), script];
  return undefined;
}

/**
 * The environment for every child: the pinned Node and the installed commands first on PATH, and
 * none of the settings that an outer `npm run` adds for itself.
 */
export function childEnvironment(extra = {}) {
  const env = {};
  for (const [name, value] of Object.entries(process.env)) {
    const isOuterRun = /^npm_(package_|lifecycle_|command$|execpath$|node_execpath$)/i.test(name);
    const isOuterConfig =
      /^npm_config_(prefix|local_prefix|global_prefix|user_agent|node_gyp|npm_version|init_module|noproxy)$/i;
    if (isOuterRun || isOuterConfig.test(name) || name === 'INIT_CWD') continue;
    env[name] = value;
  }
  const pathName = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const own = [path.dirname(nodePath()), path.join(root, 'node_modules', '.bin')];
  const [pnpm] = pnpmCommand() ?? [];
  if (pnpm) own.push(path.dirname(pnpm));
  const rest = (env[pathName] ?? '').split(path.delimiter).filter((entry) => !own.includes(entry));
  env[pathName] = [...own, ...rest].join(path.delimiter);
  env.TURBO_TELEMETRY_DISABLED = '1';
  return { ...env, ...extra };
}

/** Runs a command with our output streams and resolves to its exit code. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    // A terminal sends its Ctrl-C to every process in front of it, so the child has it already; a
    // second one would tell it to end at once.
    const isAtTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
    const forward = (signal) => {
      if (signal !== 'SIGINT' || !isAtTerminal) child.kill(signal);
    };
    process.on('SIGINT', forward);
    process.on('SIGTERM', forward);
    child.on('error', (cause) => {
      reject(new BootstrapError(`cannot start ${command}: ${cause.message}`));
    });
    child.on('close', (code, signal) => {
      process.off('SIGINT', forward);
      process.off('SIGTERM', forward);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

/** The folder of whoever called: npm runs its scripts in the root and tells where it was called. */
export function callerFolder() {
  const isNpmScript = process.env.npm_lifecycle_event !== undefined;
  return (isNpmScript ? process.env.INIT_CWD : undefined) ?? process.cwd();
}

/** Runs one script or command file under the pinned Node. */
export function runNode(args, options = {}) {
  return run(nodePath(), args, { env: childEnvironment(), ...options });
}

/** Runs pnpm under the pinned Node. */
export function runPnpm(args, options = {}) {
  const [command, ...first] = pnpmCommand();
  return run(command, [...first, ...args], { env: childEnvironment(), ...options });
}

async function hashOf(files) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\0`);
  for (const file of [...files].sort()) {
    hash.update(`${path.relative(root, file)}\0`);
    hash.update(await readFile(file));
    hash.update('\0');
  }
  return hash.digest('hex');
}

async function matches(stampFile, digest) {
  try {
    return (await readFile(stampFile, 'utf8')).trim() === digest;
  } catch {
    return false;
  }
}

async function filesBelow(folder, wanted) {
  const found = [];
  let entries;
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (cause) {
    if (cause.code === 'ENOENT') return found;
    throw cause;
  }
  for (const entry of entries) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await filesBelow(full, wanted)));
    else if (wanted(entry.name)) found.push(full);
  }
  return found;
}

async function workspaceFolders() {
  const folders = [path.join(root, 'bench')];
  for (const group of ['packages', 'apps', 'examples']) {
    const parent = path.join(root, group);
    if (!existsSync(parent)) continue;
    for (const entry of await readdir(parent, { withFileTypes: true })) {
      if (entry.isDirectory()) folders.push(path.join(parent, entry.name));
    }
  }
  return folders.filter((folder) => existsSync(path.join(folder, 'package.json')));
}

/** Runs npm on the machine's own Node, in the toolchain's folder. */
async function runNpm(args) {
  const npmCli = process.env.npm_execpath ?? '';
  const options = { cwd: toolchain, stdio: ['ignore', 2, 2] };
  const code = /npm-cli\.js$/.test(npmCli)
    ? await run(process.execPath, [npmCli, ...args], options)
    : await run('npm', args, { ...options, shell: process.platform === 'win32' });
  if (code !== 0) {
    throw new BootstrapError(
      `npm ${args[0]} in scripts/toolchain ended with code ${code}; the first run needs the npm registry.`,
    );
  }
}

/** Pinned pnpm and Node below scripts/toolchain, by `npm ci` and its committed lock file. */
async function ensureToolchain() {
  const stampFile = path.join(toolchainModules, '.nervix-stamp');
  const digest = await hashOf(
    ['package.json', 'package-lock.json'].map((name) => path.join(toolchain, name)),
  );
  if (await matches(stampFile, digest)) return;
  progress('fetching the pinned pnpm and Node (once) ...');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await runNpm(['ci', ...flags]);
  if (pnpmCommand() === undefined) {
    // The lock file pins executables for the platforms we test on; elsewhere npm picks one.
    const { packageManager } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
    await runNpm(['install', '--no-save', '--no-package-lock', ...flags, packageManager]);
  }
  nodePath();
  if (pnpmCommand() === undefined) {
    throw new BootstrapError(`pnpm has no build for ${process.platform}-${process.arch}.`);
  }
  await writeFile(stampFile, `${digest}\n`);
}

/** Workspace dependencies exactly as the lock file has them. */
async function ensureInstalled() {
  const stampFile = path.join(root, 'node_modules', '.nervix-stamp');
  const folders = await workspaceFolders();
  const inputs = [
    path.join(root, 'package.json'),
    path.join(root, 'pnpm-lock.yaml'),
    path.join(root, 'pnpm-workspace.yaml'),
    path.join(toolchain, 'package-lock.json'),
    ...folders.map((folder) => path.join(folder, 'package.json')),
  ];
  const digest = await hashOf(inputs);
  if (await matches(stampFile, digest)) return;
  progress('installing dependencies from the lock file ...');
  const env = childEnvironment({ CI: 'true' });
  const args = ['install', '--frozen-lockfile', '--prefer-offline', '--reporter=append-only'];
  const code = await runPnpm(args, { env, stdio: ['ignore', 2, 2] });
  if (code !== 0) {
    throw new BootstrapError(
      `pnpm install ended with code ${code}. If a package.json changed, run ` +
        'scripts/pnpm install to bring pnpm-lock.yaml up to date.',
    );
  }
  await writeFile(stampFile, `${digest}\n`);
}

/**
 * Compiles every package with `tsc -b` and bundles what ships as a bundle, unless sources and outputs
 * are as the last build left them.
 */
async function ensureBuilt() {
  const stampFile = path.join(root, 'node_modules', '.nervix-build-stamp');
  const folders = await workspaceFolders();
  const inputs = await filesBelow(path.join(root, 'types'), (name) => name.endsWith('.d.ts'));
  for (const entry of await readdir(root)) {
    if (/^tsconfig.*\.json$/.test(entry)) inputs.push(path.join(root, entry));
  }
  inputs.push(path.join(root, 'pnpm-lock.yaml'));
  const projects = folders.filter((folder) => existsSync(path.join(folder, 'tsconfig.json')));
  for (const folder of projects) {
    inputs.push(path.join(folder, 'tsconfig.json'));
    inputs.push(...(await filesBelow(path.join(folder, 'src'), (name) => !name.startsWith('.'))));
  }
  const bundlers = folders
    .map((folder) => path.join(folder, 'scripts', 'bundle.mjs'))
    .filter((file) => existsSync(file));
  inputs.push(...bundlers);
  const digest = await hashOf(inputs);
  const isComplete = projects.every((folder) => existsSync(path.join(folder, 'dist')));
  if (isComplete && (await matches(stampFile, digest))) return;
  progress('building ...');
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const code = await runNode([tsc, '-b'], { stdio: ['ignore', 2, 2] });
  if (code !== 0) throw new BootstrapError('the build failed: see the messages above.');
  for (const bundler of bundlers) {
    if ((await runNode([bundler], { stdio: ['ignore', 2, 2] })) !== 0) {
      throw new BootstrapError(`${path.relative(root, bundler)} failed: see the messages above.`);
    }
  }
  await writeFile(stampFile, `${digest}\n`);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return cause.code === 'EPERM';
  }
}

/** Only one bootstrap at a time changes the tree; a lock whose holder is gone is taken over. */
async function withLock(work) {
  const lock = path.join(toolchain, '.lock');
  const deadline = Date.now() + lockWaitMs;
  let isWaiting = false;
  for (;;) {
    try {
      await mkdir(lock);
      break;
    } catch (cause) {
      if (cause.code !== 'EEXIST') throw cause;
    }
    const holder = Number(await readFile(path.join(lock, 'pid'), 'utf8').catch(() => '0'));
    const ageMs = Date.now() - (await stat(lock).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs;
    const isStale = holder > 0 ? !isAlive(holder) : ageMs > 10_000;
    if (isStale) {
      await rm(lock, { recursive: true, force: true });
      continue;
    }
    if (Date.now() > deadline) {
      throw new BootstrapError(
        `another bootstrap (process ${holder}) holds ${lock}; remove that folder if it is gone.`,
      );
    }
    if (!isWaiting) progress(`waiting for another bootstrap (process ${holder}) ...`);
    isWaiting = true;
    await delay(200);
  }
  try {
    await writeFile(path.join(lock, 'pid'), `${process.pid}\n`);
    return await work();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

/** Brings the tree up to the wanted stage: 'toolchain', 'installed' or 'built'. */
export async function bootstrap(stage = 'built') {
  await withLock(async () => {
    await ensureToolchain();
    if (stage === 'toolchain') return;
    await ensureInstalled();
    if (stage === 'installed') return;
    await ensureBuilt();
  });
}

/** Runs a script's main function and turns its result, or its error, into the exit code. */
export async function main(body) {
  try {
    process.exitCode = (await body(process.argv.slice(2))) ?? 0;
  } catch (cause) {
    if (!(cause instanceof BootstrapError)) throw cause;
    process.stderr.write(`[nervix] error: ${cause.message}\n`);
    process.exitCode = 1;
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async ([stage = 'built', ...rest]) => {
    if (!['toolchain', 'installed', 'built'].includes(stage) || rest.length > 0) {
      throw new BootstrapError('usage: bootstrap.mjs [toolchain | installed | built]');
    }
    await bootstrap(stage);
    if (stage === 'built') progress('ready');
    return 0;
  });
}
