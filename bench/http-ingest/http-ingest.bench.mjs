// Throughput of HTTP intake: records through the whole graph of a nervixd process, beside a bare
// node:http server that reads and JSON-parses the same bodies. Both are loaded in turn by wrk over
// 32 keep-alive loopback connections; figures are medians, the ratio that of the rounds' own ratios,
// and every record must be accounted for.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { connect } from '@nervix/client';

const here = import.meta.dirname;
const root = path.join(here, '..', '..');
const rounds = Number(process.env.BENCH_ROUNDS ?? 15);
const seconds = Number(process.env.BENCH_SECONDS ?? 1);
const connections = 32;
const cases = [
  { name: 'http-ingest.1-per-post', records: 1, goal: 0.7 },
  { name: 'http-ingest.100-per-post', records: 100, goal: 1.2 },
];

function firstLine(child) {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`process ended with code ${code}`)));
  });
}

async function stop(child) {
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exited;
}

async function startNervixd(dbPath) {
  const password = 'bench-password';
  const child = spawn(
    process.execPath,
    [
      path.join(root, 'apps/nervixd/bin/nervixd.js'),
      ...['--db-path', dbPath, '--addr', '127.0.0.1:0', '--http-listen-addr', '127.0.0.1:0'],
      ...['--observability-listen-addr', '127.0.0.1:0', '--log', 'warn'],
    ],
    {
      env: { ...process.env, NERVIX_INIT_DEFAULT_USER_PASSWORD: password },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ready = await firstLine(child);
  const address = (name) => new RegExp(`${name} (http://\\S+)`).exec(ready)?.[1];
  const session = address('session');
  const cli = path.join(root, 'packages/client/bin/nervix.js');
  const applied = spawnSync(
    process.execPath,
    [cli, '--server', session, '--file', path.join(here, 'graph.nspl')],
    { env: { ...process.env, NERVIX_PASSWORD: password }, encoding: 'utf8' },
  );
  if (applied.status !== 0)
    throw new Error(`graph not applied: ${applied.stdout}${applied.stderr}`);
  const client = await connect({ server: session, user: 'default', password });
  return {
    child,
    client,
    url: `${address('data')}/events`,
    metrics: `${address('observability')}/metrics`,
  };
}

/** Records that the last node of the graph has received, from the node's own counters. */
async function nervixCount(metricsUrl) {
  const text = await (await fetch(metricsUrl)).text();
  let count = 0;
  for (const line of text.split('\n')) {
    if (!line.startsWith('nervix_messages_total{')) continue;
    if (!line.includes('target="totals"') || !line.includes('direction="received"')) continue;
    if (!line.includes('relay="events"')) continue;
    count += Number(line.slice(line.lastIndexOf(' ') + 1));
  }
  return count;
}

async function settle(read) {
  let previous = -1;
  for (let tries = 0; tries < 200; tries += 1) {
    const count = await read();
    if (count === previous) return count;
    previous = count;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return previous;
}

function recordLine(index) {
  const id = 100_000_000 + index;
  const tenant = `t${String(index % 16).padStart(2, '0')}`;
  return JSON.stringify({ id, tenant, marker: 'm', amount: 451, at: '2026-11-29T10:00:00.5Z' });
}

function writeScript(folder, records) {
  const body = Array.from({ length: records }, (_, index) => recordLine(index)).join('\n');
  const file = path.join(folder, `post-${records}.lua`);
  writeFileSync(
    file,
    [
      'wrk.method = "POST"',
      `wrk.headers["Content-Type"] = "${records === 1 ? 'application/json' : 'application/x-ndjson'}"`,
      `wrk.body = [==[${body}]==]`,
      'function done(summary)',
      '  local e = summary.errors',
      '  io.write(string.format("RESULT %d %d %d %d\\n", summary.requests, summary.duration,',
      '    e.status, e.connect + e.read + e.write + e.timeout))',
      'end',
    ].join('\n'),
  );
  return { file, bytes: Buffer.byteLength(body) };
}

function load(url, script) {
  return new Promise((resolve, reject) => {
    const wrk = spawn('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    wrk.stdout.on('data', (chunk) => (output += chunk));
    wrk.once('error', () => reject(new Error('wrk is not installed: apt-get install wrk')));
    wrk.once('exit', () => {
      const match = /RESULT (\d+) (\d+) (\d+) (\d+)/.exec(output);
      if (match === null) reject(new Error(`wrk gave no result: ${output}`));
      else {
        const [requests, micros, status, sockets] = match.slice(1).map(Number);
        resolve({ requests, seconds: micros / 1e6, errors: status + sockets });
      }
    });
  });
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function measure(target, script, records) {
  const before = await settle(target.count);
  const result = await load(target.url, script.file);
  const counted = (await settle(target.count)) - before;
  // wrk cuts its last requests off, so up to one post a connection may be counted unreported.
  const posted = result.requests * records;
  const isExact = counted >= posted && counted <= posted + connections * records;
  if (!isExact || result.errors > 0) {
    throw new Error(
      `${target.name}: posted ${posted}, counted ${counted}, errors ${result.errors}`,
    );
  }
  return counted / result.seconds;
}

const folder = mkdtempSync(path.join(tmpdir(), 'nervix-bench-'));
const reference = spawn(process.execPath, [path.join(here, 'reference-server.mjs')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const figures = [];
let nervixd;
try {
  const port = await firstLine(reference);
  const origin = `http://127.0.0.1:${port}/`;
  nervixd = await startNervixd(path.join(folder, 'db'));
  const ours = { name: 'nervixd', url: nervixd.url, count: () => nervixCount(nervixd.metrics) };
  const bare = {
    name: 'node:http',
    url: origin,
    count: async () => Number(await (await fetch(origin)).text()),
  };
  for (const { name, records, goal } of cases) {
    const script = writeScript(folder, records);
    console.log(
      `${name}: ${script.bytes} bytes a post, ${rounds} rounds of ${seconds} s each side`,
    );
    for (let warmUp = 0; warmUp < 3; warmUp += 1) {
      await measure(bare, script, records);
      await measure(ours, script, records);
    }
    const values = { ours: [], bare: [] };
    for (let round = 0; round < rounds; round += 1) {
      // In turn the first: what disturbs the machine for a while then disturbs both alike.
      const order = round % 2 === 0 ? ['bare', 'ours'] : ['ours', 'bare'];
      for (const side of order) {
        values[side].push(await measure(side === 'ours' ? ours : bare, script, records));
      }
    }
    const spread = (list) => `${Math.round(Math.min(...list))}..${Math.round(Math.max(...list))}`;
    console.log(`  nervixd ${spread(values.ours)} rec/s, node:http ${spread(values.bare)} rec/s`);
    const value = Math.round(median(values.ours));
    const peerValue = Math.round(median(values.bare));
    const ratios = values.ours.map((own, round) => own / values.bare[round]);
    const ratio = Number(median(ratios).toFixed(3));
    console.log(`  ratios of the rounds ${ratios.map((each) => each.toFixed(2)).join(' ')}`);
    figures.push({
      bench: name,
      value,
      unit: 'rec/s',
      peer: 'node:http + JSON.parse',
      peer_value: peerValue,
      ratio,
      goal,
      holds: ratio >= goal,
    });
  }
} finally {
  await stop(reference);
  if (nervixd !== undefined) {
    await stop(nervixd.child);
  }
  rmSync(folder, { recursive: true, force: true });
}
for (const figure of figures) console.log(JSON.stringify(figure));
