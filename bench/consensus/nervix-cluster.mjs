import { fork, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';

const here = import.meta.dirname;
const POLL_MS = 50;
const READY_MS = 30_000;

/** Ports of loopback that are free now. */
export async function freePorts(count) {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** Looks until `find` gives something, or throws. */
export async function eventually(what, find) {
  const deadline = performance.now() + READY_MS;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`${what} took more than ${READY_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Ends a process that was started here and waits for its end. */
export function ended(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  return exited;
}

function memberOptions(folder, ports, number) {
  const options = { directory: path.join(folder, `node-${number}`, 'store'), nodeId: `n${number}` };
  if (ports.length === 1) return options;
  return {
    ...options,
    listen: `127.0.0.1:${ports[number - 1]}`,
    bootstrap: number === 1,
    contacts: number === 1 ? [] : [`127.0.0.1:${ports[0]}`],
  };
}

async function startMember(folder, ports, number, execArgv) {
  const options = memberOptions(folder, ports, number);
  mkdirSync(path.dirname(options.directory), { recursive: true });
  const child = fork(path.join(here, 'member-process.mjs'), [JSON.stringify(options)], {
    execArgv,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const port = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line).port));
    child.once('exit', (code) => reject(new Error(`a member ended with code ${code}`)));
  });
  return { child, port };
}

function statusOf({ child }) {
  const answer = new Promise((resolve) => child.once('message', resolve));
  child.send('status');
  return answer;
}

async function leaderOf(members) {
  for (const member of members) {
    const { role, voters } = await statusOf(member);
    if (role === 'leader' && voters === members.length) return member;
  }
  return undefined;
}

function runLoad(port, clients, seconds, valueBytes) {
  const args = [port, clients, seconds, valueBytes].map(String);
  const child = spawn(process.execPath, [path.join(here, 'load-client.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line)));
    child.once('exit', (code) => reject(new Error(`the load ended with code ${code}`)));
  });
}

/** Starts one to five processes of ours on loopback. `execArgv` are arguments of Node. */
export async function startNervix(folder, nodes, { execArgv = [] } = {}) {
  const ports = await freePorts(nodes);
  const members = [];
  for (let number = 1; number <= nodes; number += 1) {
    members.push(await startMember(folder, ports, number, execArgv));
  }
  const leader = await eventually('electing a leader', () => leaderOf(members));
  return {
    name: 'nervix',
    pids: members.map(({ child }) => child.pid),
    load: (clients, seconds, valueBytes) => runLoad(leader.port, clients, seconds, valueBytes),
    stop: () => Promise.all(members.map(({ child }) => ended(child, 'SIGTERM'))),
  };
}
