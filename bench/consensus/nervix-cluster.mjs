import { fork, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from './eventually.mjs';
import { freePorts } from './free-ports.mjs';
import { ended } from './process-end.mjs';

const here = import.meta.dirname;

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

/** Room for young objects, in MiB a half: what the README advises for a process of this kind. */
const YOUNG_MIB = 32;

/** Starts one to five processes of ours on loopback. `execArgv` are further arguments of Node. */
export async function startNervix(folder, nodes, { execArgv = [] } = {}) {
  const ports = await freePorts(nodes);
  const members = [];
  for (let number = 1; number <= nodes; number += 1) {
    const args = [`--max-semi-space-size=${YOUNG_MIB}`, ...execArgv];
    members.push(await startMember(folder, ports, number, args));
  }
  const leader = await eventually('electing a leader', () => leaderOf(members));
  return {
    name: 'nervix',
    pids: members.map(({ child }) => child.pid),
    load: (clients, seconds, valueBytes) => runLoad(leader.port, clients, seconds, valueBytes),
    stop: () => Promise.all(members.map(({ child }) => ended(child, 'SIGTERM'))),
  };
}
