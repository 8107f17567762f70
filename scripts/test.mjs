// `npm test`: bring the tree up, run every test, and close with one line that counts them.
// Arguments after `--` go to vitest, for example: npm test -- --project model

import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { BootstrapError, bootstrap, main, root, runNode } from './bootstrap.mjs';

const reportFile = path.join(root, '.cache', 'vitest-report.json');

/** Counts from vitest's own report; a file that failed before its first test counts as one failure. */
function countReport(report) {
  let failed = report.numFailedTests;
  for (const file of report.testResults) {
    const hasFailedTest = file.assertionResults.some((test) => test.status === 'failed');
    if (file.status === 'failed' && !hasFailedTest) failed += 1;
  }
  return {
    passed: report.numPassedTests,
    failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

async function readCounts() {
  try {
    return countReport(JSON.parse(await readFile(reportFile, 'utf8')));
  } catch (cause) {
    process.stderr.write(`[nervix] error: vitest left no readable report: ${cause.message}\n`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

function printCounts({ passed, failed, skipped }) {
  process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
}

await main(async (args) => {
  try {
    await bootstrap('built');
  } catch (cause) {
    if (!(cause instanceof BootstrapError)) throw cause;
    process.stderr.write(`[nervix] error: ${cause.message}\n`);
    // Not one test could start; the closing line must not look like success.
    printCounts({ passed: 0, failed: 1, skipped: 0 });
    return 1;
  }
  await mkdir(path.dirname(reportFile), { recursive: true });
  await rm(reportFile, { force: true });
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const code = await runNode([vitest, 'run', ...reporters, ...args]);
  const counts = await readCounts();
  // An error outside of any test (an unhandled rejection, say) fails the run without a failed test.
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  printCounts(counts);
  return code !== 0 || counts.failed > 0 || counts.passed === 0 ? 1 : 0;
});
