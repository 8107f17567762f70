import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { runNervixd } from '@nervix/testkit';
import { expect, test } from 'vitest';
import { scratchNode } from './support/scratch-node.ts';

const LISTENING = '0A';

/** Inodes of the sockets that a process holds. */
function socketInodes(pid: number): ReadonlySet<string> {
  const inodes = new Set<string>();
  for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
    try {
      const [, inode] =
        /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`)) ?? [];
      if (inode !== undefined) inodes.add(inode);
    } catch {
      // Closed since it was listed.
    }
  }
  return inodes;
}

/** Addresses, as the kernel writes them, on which a process listens. */
function listeningAddresses(pid: number): readonly string[] {
  const own = socketInodes(pid);
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === LISTENING && own.has(inode ?? ''))
      .map(([, local = '']) => `${table} ${local.split(':')[0]}`),
  );
}

test('a node listens three times, on loopback only', async () => {
  const { node } = await scratchNode();
  // 127.0.0.1 in the byte order of the machine.
  expect(listeningAddresses(node.pid)).toEqual(Array(3).fill('tcp 0100007F'));
});

test('CL-106: without flags every listener is on loopback', async () => {
  const { code, stdout } = await runNervixd(['--print-config']);
  expect(code).toBe(0);
  const listeners = stdout.split('\n').filter((line) => /^--(\S+-)?addr=/.test(line));
  expect(listeners.map((line) => line.split(' ')[0])).toEqual([
    '--addr=127.0.0.1:47391',
    '--http-listen-addr=127.0.0.1:8080',
    '--https-listen-addr=127.0.0.1:8443',
    '--observability-listen-addr=127.0.0.1:9090',
  ]);
});

test('an idle node is far below the memory that a busy one may take', async () => {
  const { node } = await scratchNode();
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(
    readFileSync(`/proc/${node.pid}/status`, 'utf8'),
  ) ?? ['', 'NaN'];
  expect(Number(kilobytes) / 1_024).toBeLessThan(400);
});
