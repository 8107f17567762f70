import { spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { eventually } from './eventually.mjs';
import { freePorts } from './free-ports.mjs';
import { ended } from './process-end.mjs';

/** `KV.Put` of one key and a value as a gRPC message. The fields are shorter than 16 kB. */
function putRequest(key, valueBytes) {
  const field = (tag, bytes) => {
    const length =
      bytes.length < 128 ? [bytes.length] : [(bytes.length & 127) | 128, bytes.length >> 7];
    return Buffer.concat([Buffer.from([tag, ...length]), bytes]);
  };
  const message = Buffer.concat([
    field(0x0a, Buffer.from(key)),
    field(0x12, Buffer.alloc(valueBytes, 0x78)),
  ]);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

async function post(port, route) {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${route}`, {
      method: 'POST',
      body: '{}',
    });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}

async function leaderOf(members) {
  for (const { clientPort } of members) {
    const status = await post(clientPort, '/v3/maintenance/status');
    if (status?.leader !== undefined && status.leader === status.header?.member_id) {
      return clientPort;
    }
  }
  return undefined;
}

/** Percentile of the latencies in a log file of h2load, whose third column is microseconds. */
function percentiles(file) {
  const micros = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => Number(line.split('\t')[2]))
    .sort((a, b) => a - b);
  const at = (part) =>
    micros[Math.min(micros.length - 1, Math.floor(micros.length * part))] / 1_000;
  return { p50: at(0.5), p99: at(0.99) };
}

/** Answered commands and their latencies, as h2load sees them with one connection. */
function runLoad(folder, port, clients, seconds, valueBytes) {
  const body = path.join(folder, 'put.bin');
  const log = path.join(folder, 'latencies.tsv');
  writeFileSync(body, putRequest(`key-${'0'.repeat(12)}`, valueBytes));
  writeFileSync(log, '');
  const args = ['-c', '1', '-t', '1', '-m', `${clients}`, '-D', `${seconds}`, '-d', body];
  const headers = ['-H', 'content-type: application/grpc', '-H', 'te: trailers'];
  const url = `http://127.0.0.1:${port}/etcdserverpb.KV/Put`;
  const child = spawn('h2load', [...args, ...headers, `--log-file=${log}`, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once('error', () => reject(new Error('install it: apt-get install nghttp2-client')));
    child.once('close', () => {
      const done = /finished in ([\d.]+)(m?s), [\d.]+ req\/s/.exec(output);
      const codes = /(\d+) succeeded, (\d+) failed/.exec(output);
      if (done === null || codes === null) reject(new Error(`h2load gave no result: ${output}`));
      else if (codes[2] !== '0' || codes[1] === '0') reject(new Error(`puts failed: ${output}`));
      else {
        const count = Number(codes[1]);
        resolve({ count, rate: count / seconds, ...percentiles(log) });
      }
    });
  });
}

function startMember(folder, ports, number) {
  const [clientPort, peerPort] = [ports[2 * number], ports[2 * number + 1]];
  const data = path.join(folder, `etcd-${number}`);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const members = Array.from(
    { length: ports.length / 2 },
    (_, at) => `e${at}=http://127.0.0.1:${ports[2 * at + 1]}`,
  );
  const child = spawn(
    'etcd',
    [
      ...['--name', `e${number}`, '--data-dir', data, '--logger', 'zap', '--log-level', 'error'],
      ...['--listen-client-urls', `http://127.0.0.1:${clientPort}`],
      ...['--advertise-client-urls', `http://127.0.0.1:${clientPort}`],
      ...['--listen-peer-urls', `http://127.0.0.1:${peerPort}`],
      ...['--initial-advertise-peer-urls', `http://127.0.0.1:${peerPort}`],
      ...['--initial-cluster', members.join(','), '--quota-backend-bytes', `${8 * 2 ** 30}`],
    ],
    { stdio: ['ignore', 'ignore', openSync(path.join(folder, `etcd-${number}.log`), 'w')] },
  );
  child.once('error', () => {
    throw new Error('etcd is not installed: apt-get install etcd-server');
  });
  return { child, clientPort };
}

/** Starts one to five etcd processes on loopback. */
export async function startEtcd(folder, nodes) {
  const ports = await freePorts(2 * nodes);
  const members = Array.from({ length: nodes }, (_, number) => startMember(folder, ports, number));
  const port = await eventually('electing an etcd leader', () => leaderOf(members));
  return {
    name: 'etcd',
    pids: members.map(({ child }) => child.pid),
    load: (clients, seconds, valueBytes) => runLoad(folder, port, clients, seconds, valueBytes),
    stop: () => Promise.all(members.map(({ child }) => ended(child, 'SIGTERM'))),
  };
}
