// Starts nervixd for the example: on its usual ports when they are free, else on free ones.
import { spawn } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const root = path.join(import.meta.dirname, '..', '..', '..');
const READY_WITHIN_MS = 30_000;

function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

async function listenAddress(port) {
  return (await isFree(port)) ? `127.0.0.1:${port}` : '127.0.0.1:0';
}

function isAlive(pidFile) {
  try {
    process.kill(Number(readFileSync(pidFile, 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}

/** A folder for one node. Those of nodes that no longer run are cleared away first. */
function newNodeFolder(parent) {
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent)) {
    const folder = path.join(parent, name);
    if (name.startsWith('flights-') && !isAlive(path.join(folder, 'nervixd.pid'))) {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const folder = path.join(parent, `flights-${process.pid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/**
 * Starts a node with an empty store in a folder of its own and waits until it is ready.
 *
 * @param parent folder that holds the nodes of this example
 * @param drainTimeout longest wait for rows under way when the node is stopped
 * @param onSpawn takes the process as soon as there is one
 *
 * @throws when the node does not get ready; the message holds what it printed
 */
export async function startDaemon(parent, { drainTimeout, onSpawn }) {
  const folder = newNodeFolder(parent);
  const outputFile = path.join(folder, 'nervixd.out');
  const logFile = path.join(folder, 'nervixd.log');
  const output = openSync(outputFile, 'w');
  const log = openSync(logFile, 'w');
  const child = spawn(
    process.execPath,
    [
      path.join(root, 'apps', 'nervixd', 'bin', 'nervixd.js'),
      ...['--db-path', path.join(folder, 'db')],
      ...['--drain-timeout', drainTimeout],
      ...['--addr', await listenAddress(47391)],
      ...['--http-listen-addr', await listenAddress(8080)],
      ...['--observability-listen-addr', await listenAddress(9090)],
    ],
    { detached: true, stdio: ['ignore', output, log] },
  );
  onSpawn(child);
  writeFileSync(path.join(folder, 'nervixd.pid'), String(child.pid));
  closeSync(output);
  closeSync(log);
  let exitCode;
  child.once('exit', (code) => {
    exitCode = code ?? 1;
  });
  for (const end = Date.now() + READY_WITHIN_MS; Date.now() < end; await delay(20)) {
    const printed = readFileSync(outputFile, 'utf8');
    const ready = /^nervixd ready: .*$/m.exec(printed)?.[0];
    if (ready !== undefined) return describe(child, ready, printed, logFile);
    if (exitCode !== undefined) break;
  }
  child.kill('SIGKILL');
  throw new Error(`nervixd did not get ready: ${readFileSync(logFile, 'utf8').slice(-2_000)}`);
}

function describe(child, ready, printed, logFile) {
  const address = (name) => new RegExp(`${name} (http://\\S+)`).exec(ready)?.[1];
  return {
    child,
    logFile,
    session: address('session'),
    data: address('data'),
    observability: address('observability'),
    password: /with password '([^']+)'/.exec(printed)?.[1],
  };
}

/** Asks the node to stop, once, and waits for its graceful end. Resolves with its exit code. */
export async function stopDaemon(child) {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  if (!child.killed) child.kill('SIGTERM');
  return exited;
}
