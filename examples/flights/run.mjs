// Runs the flights example: start a node, apply the pipeline, replay 20,000 flights, show what
// comes out, account for every record. `--keep` leaves the node running.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '@nervix/client';
import { readCounters } from './src/counters.mjs';
import { startDaemon, stopDaemon } from './src/daemon.mjs';
import { openDesk } from './src/desk.mjs';
import { brokenPayloads, readReplay } from './src/flights.mjs';
import { nextSteps, reportLines } from './src/report.mjs';
import { Screen } from './src/screen.mjs';
import { send } from './src/sender.mjs';

const root = path.join(import.meta.dirname, '..', '..');
const SETTLE_WITHIN_MS = 30_000;
const isKept = process.argv.includes('--keep');
let isInterrupted = false;
const say = (line = '') => process.stdout.write(`${line}\n`);

function applyPipeline(daemon, deskOrigin) {
  const text = readFileSync(path.join(import.meta.dirname, 'pipeline.nspl'), 'utf8');
  const result = spawnSync(
    process.execPath,
    [path.join(root, 'packages/client/bin/nervix.js'), '--server', daemon.session, '--file', '-'],
    {
      input: text.replace('http://127.0.0.1:9471', deskOrigin),
      env: { ...process.env, NERVIX_PASSWORD: daemon.password },
      encoding: 'utf8',
    },
  );
  if (result.status !== 0) {
    throw new Error(`pipeline.nspl was not applied:\n${result.stdout}${result.stderr}`);
  }
  return text.match(/^CREATE (?!IF NOT EXISTS )/gm).length;
}

/** Follows a relay in the background. */
async function follow(client, relay, onRow) {
  const stream = await client.subscribe({ domain: 'flights', relay });
  const finished = (async () => {
    for await (const record of stream) if ('row' in record) onRow(record.row);
  })();
  return async () => {
    await stream.close();
    await finished;
  };
}

function collectWindow(windows, row) {
  const seen = (windows.get(row.airport)?.seen ?? 0) + Number(row.flights);
  windows.set(row.airport, { ...row, seen });
}

/** Waits until the graph has come to rest with everything accounted for, or the time is up. */
async function settle(read, isComplete) {
  let value = await read();
  for (const end = Date.now() + SETTLE_WITHIN_MS; Date.now() < end; value = await read()) {
    if (isComplete(value)) break;
    await delay(50);
  }
  return value;
}

async function replay(daemon, desk) {
  const { posts, expected } = await readReplay();
  const client = await connect({
    server: daemon.session,
    user: 'default',
    password: daemon.password,
  });
  const windows = new Map();
  const bad = [];
  const stopFollowing = [
    await follow(client, 'delay_windows', (row) => collectWindow(windows, row)),
    await follow(client, 'bad_flights', (row) => bad.push(row)),
  ];
  say(
    `Replaying ${expected.flights.toLocaleString('en-US')} flights; the sender repeats ` +
      `${expected.repeats} of them and mixes in ${expected.undecodable + expected.refused} broken ` +
      `payloads of ${brokenPayloads.length} kinds.`,
  );
  say();
  const screen = new Screen();
  const started = Date.now();
  const statuses = await send(`${daemon.data}/flights`, posts, (sent) =>
    screen.draw(sent, posts.length, windows),
  );
  const seconds = (Date.now() - started) / 1_000;
  const counters = await settle(
    () => readCounters(daemon.observability),
    ({ delivered, duplicates, shortHops }) =>
      delivered + duplicates + shortHops + bad.length === posts.length &&
      desk.alerts.length === expected.late,
  );
  for (const stop of stopFollowing) await stop();
  screen.finish(posts.length, windows);
  return { counters, statuses, expected, bad, windows, seconds, posts };
}

/** Takes the node along when the example is told to end. */
function endWith(child) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, async () => {
      isInterrupted = true;
      say(`\n${signal}: the example ends, and nervixd with it`);
      await stopDaemon(child);
      process.exit(128 + constants.signals[signal]);
    });
  }
}

async function main() {
  const desk = await openDesk();
  let daemon;
  let succeeded = false;
  try {
    daemon = await startDaemon(path.join(root, '.nervix'), {
      drainTimeout: isKept ? '3s' : '30s',
      onSpawn: endWith,
    });
    say(`nervixd is up: session ${daemon.session}, data ${daemon.data}`);
    const definitions = applyPipeline(daemon, desk.origin);
    say(`Applied examples/flights/pipeline.nspl (${definitions} definitions in one transaction).`);
    const report = reportLines(await replay(daemon, desk), desk.alerts.length);
    succeeded = report.addsUp;
    for (const line of [...report.lines, ...nextSteps(daemon, isKept)]) say(line);
  } finally {
    if (daemon !== undefined && !(isKept && succeeded)) {
      const code = await stopDaemon(daemon.child);
      if (code !== 0 && !isInterrupted) {
        succeeded = false;
        say(`nervixd ended with code ${code}; its log is ${daemon.logFile}`);
      }
    }
    daemon?.child.unref();
    await desk.close();
  }
  return succeeded ? 0 : 1;
}

process.exitCode = await main().catch((error) => {
  // What an interruption breaks is no news; its handler ends the process.
  if (!isInterrupted) process.stderr.write(`flights: ${error.message}\n`);
  return 1;
});
