// Runs one side of a workload over a file of lines and prints the peak of its memory in MB. The parent
// sends the typed programs, which are plain data, so that nothing but the side is loaded.
import { existsSync, readFileSync } from 'node:fs';
import { blocksOf } from './blocks.mjs';

const [workload, side, input, rounds] = process.argv.slice(2);
process.once('message', async (programs) => {
  const module = await import(`./${workload}-${side === 'engine' ? 'sides' : 'loop'}.mjs`);
  const run = side === 'engine' ? module.engine(programs) : module.loop;
  const blocks = blocksOf(readFileSync(input));
  for (let round = 0; round < Number(rounds); round += 1) run(blocks);
  process.send(peakMegabytes());
  process.disconnect();
});

/** Linux counts what the parent used before it became this process into the peak that Node reports. */
function peakMegabytes() {
  const status = '/proc/self/status';
  const peak = existsSync(status) ? /VmHWM:\s*([0-9]+)/u.exec(readFileSync(status, 'utf8')) : null;
  return Number(peak?.[1] ?? process.resourceUsage().maxRSS) / 1024;
}
