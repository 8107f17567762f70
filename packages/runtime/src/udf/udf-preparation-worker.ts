import { parentPort, workerData } from 'node:worker_threads';
import { assert, type UdfPlan } from '@nervix/model';
import { prepareUdf } from './prepare-udf.js';

assert(parentPort !== null, 'UDFs are prepared in a worker thread');
const problems = (workerData as readonly UdfPlan[]).map(prepareUdf);
parentPort.postMessage(problems.find((problem) => problem !== undefined));
