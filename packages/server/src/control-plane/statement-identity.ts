import { passwordStatement } from '@nervix/model';
import { type ParsedStatement, printStatement } from '@nervix/nspl-parser';
import { contentDigest, referenceTimeMs } from './execution-reference.js';

/** Reference of a statement inside a request of several: same time, other random part. */
export function statementReference(reference: string, index: number): string {
  if (referenceTimeMs(reference) === undefined) return reference;
  const digest = contentDigest(`${reference}/${index}`);
  const random = `7${digest.slice(0, 3)}-a${digest.slice(3, 6)}-${digest.slice(6, 18)}`;
  return `${reference.slice(0, 13)}-${random}`;
}

/**
 * Text that stands for a statement: of a transaction the exact one. The literal secret of a client
 * belongs to it, for the model keeps that beside the digest. A password does not: the node keeps
 * only a slow hash of it, and a fast digest would invite guessing.
 */
export function digestedText({ statement, text }: ParsedStatement, isExact: boolean): string {
  if (passwordStatement(statement) !== undefined) return printStatement(statement);
  return isExact ? text : printStatement(statement, { withSecrets: true });
}
