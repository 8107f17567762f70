// A gigabyte of records becomes a snapshot, goes over TCP to another process and replaces its
// state. What is measured is time and, in both processes, the memory that is theirs alone: pages of
// mapped table files, which the kernel may drop at any time, are not counted.
import { fork } from 'node:child_process';
import {
  closeSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const MEBIBYTE = 1_024 * 1_024;
const bytes = Number(process.env.BENCH_BYTES ?? 1_000_000_000);
const commands = Math.max(9, Math.ceil(bytes / MEBIBYTE));
const megabytes = (commands * MEBIBYTE) / 1e6;
/**
 * It depends on no size of the state: a process at rest has 90 to 140 MB, 32 MiB of which are the
 * write buffers and the cache of LevelDB. A section of 8 MiB is there as records, as section, as
 * batch and as frames at once, and a few of those wait for the garbage collector. The state itself
 * would be 1,000 MB.
 */
const MEMORY_GOAL_MB = 400;
const SPEED_GOAL = 10;
const script = path.join(import.meta.dirname, 'snapshot-member.mjs');

class Member {
  constructor(options) {
    this.peakMb = 0;
    this.events = [];
    this.waiting = [];
    this.child = fork(script, [JSON.stringify(options)], { execArgv: ['--expose-gc'] });
    this.child.on('message', (event) => {
      this.events.push(event);
      for (const look of this.waiting) look();
    });
    this.child.once('exit', (code) => {
      if (code !== 0) throw new Error(`${options.nodeId} ended with ${code}`);
    });
    this.timer = setInterval(() => this.sample(), 10);
  }

  sample() {
    try {
      const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
      const kilobytes = Number(/RssAnon:\s+(\d+) kB/.exec(status)?.[1] ?? 0);
      this.lastMb = (kilobytes * 1_024) / 1e6;
      this.peakMb = Math.max(this.peakMb, this.lastMb);
    } catch {
      // It has ended.
    }
  }

  /** The first event of this kind, when it has come. */
  async heard(what) {
    for (;;) {
      const event = this.events.find((it) => it.what === what);
      if (event !== undefined) return event;
      await new Promise((resolve) => this.waiting.push(resolve));
    }
  }

  async close() {
    clearInterval(this.timer);
    const exited = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.send('close');
    await exited;
  }
}

/** What the disk alone takes: the same bytes in pieces of a section, each synced. */
function plainSpeed(directory) {
  const file = openSync(path.join(directory, 'plain'), 'w');
  const piece = Buffer.alloc(8 * MEBIBYTE, 'snapshot');
  const pieces = Math.min(32, Math.ceil((megabytes * 1e6) / piece.length));
  const startedAt = performance.now();
  for (let i = 0; i < pieces; i += 1) {
    writeSync(file, piece);
    fdatasyncSync(file);
  }
  closeSync(file);
  return (pieces * piece.length) / 1e6 / ((performance.now() - startedAt) / 1_000);
}

const rounded = (number) => Number(number.toPrecision(4));

function figure(bench, value, unit, { peer, peerValue, goal, isHeld }) {
  const ratio = Number((value / peerValue).toFixed(3));
  const facts = { bench, value: rounded(value), unit, peer, peer_value: rounded(peerValue) };
  return { ...facts, ratio, goal, holds: isHeld };
}

const root = mkdtempSync(path.join(tmpdir(), 'nervix-bench-'));
try {
  const disk = plainSpeed(root);
  const common = { contacts: [], commands: 0 };
  const from = new Member({
    ...common,
    directory: path.join(root, 'a'),
    nodeId: 'a',
    bootstrap: true,
    commands,
  });
  const { endpoint, at: filledAt } = await from.heard('ready');
  const fillPeakMb = from.peakMb;
  from.sample();
  const restingMb = from.lastMb;
  from.peakMb = 0;
  const to = new Member({
    ...common,
    directory: path.join(root, 'b'),
    nodeId: 'b',
    bootstrap: false,
    contacts: [endpoint],
  });
  const { at: begunAt } = await from.heard('begun');
  const { at: builtAt } = await from.heard('complete');
  const { at: installedAt } = await to.heard('installed');
  const seconds = (installedAt - begunAt) / 1_000;
  console.log(
    `${megabytes.toFixed(0)} MB: begun ${begunAt - filledAt} ms after the fill, built in` +
      ` ${builtAt - begunAt} ms, sent and installed in ${installedAt - builtAt} ms;` +
      ` sender at rest ${rounded(restingMb)} MB, while filling at most ${rounded(fillPeakMb)} MB,` +
      ` sending ${rounded(from.peakMb)} MB; receiver ${rounded(to.peakMb)} MB`,
  );
  await Promise.all([from.close(), to.close()]);
  const peakMb = Math.max(from.peakMb, to.peakMb);
  const speed = (ms) => megabytes / (Math.max(1, ms) / 1_000);
  const synced = { peer: 'the same bytes written to a file and synced', peerValue: disk };
  const fast = (value) => ({ ...synced, goal: SPEED_GOAL, isHeld: value >= SPEED_GOAL });
  const build = speed(builtAt - begunAt);
  const transfer = speed(installedAt - builtAt);
  const figures = [
    figure('consensus.snapshot-1gb-rss', peakMb, 'MB', {
      peer: 'the sender at rest',
      peerValue: restingMb,
      goal: MEMORY_GOAL_MB,
      isHeld: peakMb <= MEMORY_GOAL_MB,
    }),
    figure('consensus.snapshot-1gb-build', build, 'MB/s', fast(build)),
    figure('consensus.snapshot-1gb-transfer', transfer, 'MB/s', fast(transfer)),
    figure('consensus.snapshot-1gb-seconds', seconds, 's', {
      peer: synced.peer,
      peerValue: megabytes / disk,
      goal: 300,
      isHeld: seconds <= 300,
    }),
  ];
  for (const line of figures) console.log(JSON.stringify(line));
} finally {
  rmSync(root, { recursive: true, force: true });
}
