import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { sizeThreadPool } from '../src/thread-pool.js';

const entry = path.join(import.meta.dirname, '..', 'bin', 'nervixd.js');

describe('CS-2 the pool of threads', () => {
  test.each([
    [1, '16'],
    [8, '16'],
    [9, '18'],
    [64, '128'],
  ])('gets its size for %i processors', (processors, size) => {
    const env: Record<string, string | undefined> = {};
    expect(sizeThreadPool(env, processors)).toBeUndefined();
    expect(env['UV_THREADPOOL_SIZE']).toBe(size);
  });

  test('may be larger', () => {
    const env = { UV_THREADPOOL_SIZE: '40' };
    expect(sizeThreadPool(env, 2)).toBeUndefined();
    expect(env).toEqual({ UV_THREADPOOL_SIZE: '40' });
  });

  test.each(['4', '15', '', 'many', '1e3', '-16', '99999'])('is refused with %j', (size) => {
    expect(sizeThreadPool({ UV_THREADPOOL_SIZE: size }, 2)).toBe(
      `UV_THREADPOOL_SIZE is '${size}'; unset it or give at least 16 threads\n`,
    );
  });

  test('is looked at before the process does anything', () => {
    const env = { ...process.env, UV_THREADPOOL_SIZE: '4' };
    const { status, stdout, stderr } = spawnSync(process.execPath, [entry, '--version'], {
      env,
      encoding: 'utf8',
    });
    expect(stderr).toContain("UV_THREADPOOL_SIZE is '4'; unset it or give at least");
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });

  test('has its size in a process that writes', () => {
    const code = [
      `const { sizeThreadPool } = await import(${JSON.stringify(path.join(entry, '../../dist/thread-pool.js'))});`,
      'const fs = await import("node:fs");',
      'sizeThreadPool(process.env, 2);',
      'await Promise.all(Array.from({ length: 64 }, () => fs.promises.readFile("/proc/self/status")));',
      'const tasks = fs.readdirSync("/proc/self/task");',
      'const names = tasks.map((it) => fs.readFileSync("/proc/self/task/" + it + "/comm", "utf8"));',
      'console.log(names.filter((it) => it.startsWith("libuv")).length);',
    ].join('\n');
    const { UV_THREADPOOL_SIZE: _, ...env } = process.env;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      env,
      encoding: 'utf8',
    });
    expect(Number(stdout)).toBe(16);
  });
});
