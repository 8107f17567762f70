import { Worker } from 'node:worker_threads';
import type { UdfPlan } from '@nervix/model';

/**
 * Prepares UDFs in a thread of their own, so that the caller's goes on meanwhile: their code may use
 * all the time that it is given.
 *
 * @returns why the first that cannot be used cannot, or undefined
 */
export async function prepareUdfsApart(plans: readonly UdfPlan[]): Promise<string | undefined> {
  if (plans.length === 0) return undefined;
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerEntry(), { name: 'nervix-udf', workerData: plans, env: {} });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => {
      reject(new Error('the thread that prepares UDFs ended by itself'));
    });
  });
}

function workerEntry(): URL {
  const isSource = import.meta.url.endsWith('.ts');
  const path = isSource
    ? '../../dist/udf/udf-preparation-worker.js'
    : './udf-preparation-worker.js';
  return new URL(path, import.meta.url);
}
