// All measurements of the engine, one after the other, each in a process of its own; their figures
// stand together at the end.
import { spawn } from 'node:child_process';
import path from 'node:path';

const NAMES = ['decode', 'columns', 'groups', 'filter-map', 'dedup-window', 'udf'];

function run(name) {
  const script = path.join(import.meta.dirname, `${name}.bench.mjs`);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--expose-gc', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(output.trimEnd().split('\n'));
      else reject(new Error(`${name} ended with ${code}: ${output}`));
    });
  });
}

const figures = [];
for (const name of NAMES) {
  for (const line of await run(name)) {
    if (line.startsWith('{')) figures.push(line);
    else console.log(line);
  }
}
for (const figure of figures) console.log(figure);
