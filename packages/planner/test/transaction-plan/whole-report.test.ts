import { describe, expect, test } from 'vitest';
import { transactionDocument, transactionText } from '../../src/index.js';
import { assertReport } from '../../src/transaction-plan/report-invariants.js';
import { WHOLE_REPORT, WHOLE_STANDING } from '../support/whole-report.js';

/** The operation whose contribution holds effects of every kind. */
const RICHEST = 2;

describe('CP-117 every operation, reason, effect and outcome as a report tells it', () => {
  test('the report that is told is one that may be made', () => {
    expect(() => assertReport(WHOLE_REPORT)).not.toThrow();
  });

  test('as text', async () => {
    const text = transactionText(WHOLE_REPORT, WHOLE_STANDING);
    await expect(`${text}\n`).toMatchFileSnapshot('golden/whole-report.script.txt');
  });

  test('as text, with what one operation contributes', async () => {
    const text = transactionText(WHOLE_REPORT, WHOLE_STANDING, RICHEST);
    await expect(`${text}\n`).toMatchFileSnapshot('golden/whole-report-inspected.script.txt');
  });

  test('CP-119 as a document, which reads back as an equal one', async () => {
    const document = transactionDocument(WHOLE_REPORT, WHOLE_STANDING, RICHEST);
    const text = JSON.stringify(document, null, 2);
    expect(JSON.parse(text)).toEqual(document);
    await expect(`${text}\n`).toMatchFileSnapshot('golden/whole-report-document.script.txt');
  });
});
