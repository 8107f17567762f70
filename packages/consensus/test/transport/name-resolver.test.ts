import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { formatEndpoint, isLoopback, parseEndpoint } from '../../src/transport/endpoint.ts';
import { createNameResolver, parseHosts } from '../../src/transport/name-resolver.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const HOSTS = `
# comment
127.0.0.1 localhost
10.0.0.7\tnode-1 Node-1.example # the first
::2 node-1
not-an-address node-2
`;

test('CS-148 the hosts file is asked first, again for every attempt', async () => {
  const hostsFile = path.join(temporaryDirectory(), 'hosts');
  writeFileSync(hostsFile, HOSTS);
  const resolve = createNameResolver({ hostsFile });
  expect(await resolve('NODE-1')).toEqual(['10.0.0.7', '::2']);
  writeFileSync(hostsFile, '10.0.0.8 node-1');
  expect(await resolve('node-1')).toEqual(['10.0.0.8']);
});

test('CS-148 addresses and localhost need no server, and a silent server fails the attempt', async () => {
  const resolve = createNameResolver({
    hostsFile: undefined,
    servers: ['127.0.0.1:1'],
    timeoutMs: 50,
  });
  expect(await resolve('192.0.2.5')).toEqual(['192.0.2.5']);
  expect(await resolve('::1')).toEqual(['::1']);
  expect(await resolve('localhost')).toEqual(['127.0.0.1', '::1']);
  await expect(resolve('node-1.example')).rejects.toThrow(
    "the name 'node-1.example' has no address",
  );
});

test('names of a hosts file are compared as a whole and without regard to case', () => {
  expect(parseHosts(HOSTS, 'node-1.EXAMPLE')).toEqual(['10.0.0.7']);
  expect(parseHosts(HOSTS, 'node')).toEqual([]);
  expect(parseHosts(HOSTS, 'node-2')).toEqual([]);
  expect(parseHosts(HOSTS, 'first')).toEqual([]);
});

test('endpoints are read and written', () => {
  const good = ['127.0.0.1:80', 'node-1.example:65535', '[::1]:7000', 'a:0'];
  for (const endpoint of good) expect(formatEndpoint(parseEndpoint(endpoint)!)).toBe(endpoint);
  const bad = ['', 'a', ':80', 'a:', 'a:65536', '::1:80', '[::1]', '[a]:80', 'a b:80', 'a/b:80'];
  for (const endpoint of bad) expect(parseEndpoint(endpoint)).toBe(undefined);
});

test('loopback is what never leaves the machine', () => {
  const inside = ['127.0.0.1', '127.255.0.3', '::1', '0:0:0:0:0:0:0:1'];
  for (const address of inside) expect(isLoopback(address)).toBe(true);
  const outside = ['0.0.0.0', '::', '10.0.0.1', '128.0.0.1', 'localhost', ''];
  for (const address of outside) expect(isLoopback(address)).toBe(false);
});
