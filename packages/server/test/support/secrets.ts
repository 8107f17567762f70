import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CommandOutcome, ErrorBody } from '@nervix/protocol';
import { onTestFinished } from 'vitest';
import type { SecretWriteRequest } from '../../src/control-plane/commands/secrets/secret-requests.ts';
import type { CommandReply } from '../../src/control-plane/control-plane.ts';
import { type ControlNode, openWithRelay } from './control-node.ts';

/** A folder that goes with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'nervix-secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A node with a relay in domain `d` and a store of secrets. */
export async function openWithSecrets(): Promise<{ node: ControlNode; keyFile: string }> {
  const keyFile = path.join(temporaryFolder(), 'secret.key');
  return { node: await openWithRelay({ secrets: { keyFile } }), keyFile };
}

type Written = Partial<Pick<SecretWriteRequest, 'key' | 'reference' | 'domain'>>;

/** Asks a node to write a secret of domain `d`. */
export function askToWrite(
  node: ControlNode,
  name: string,
  value: string,
  parts: Written = {},
): Promise<CommandReply> {
  const asked = { owner: node.principal('ada'), domain: 'd', reference: node.reference() };
  return node.plane.writeSecret({ ...asked, name, value, ...parts });
}

/** Writes a secret of domain `d`. */
export async function writeSecret(
  node: ControlNode,
  name: string,
  value: string,
  parts: Written = {},
): Promise<CommandOutcome> {
  const reply = await askToWrite(node, name, value, parts);
  if (reply.kind === 'completed') return reply.outcome;
  throw new Error(`the write was refused: ${reply.error.code} ${reply.error.message}`);
}

/** Why a request was refused. */
export async function refused(reply: Promise<CommandReply>): Promise<ErrorBody['error']> {
  const answer = await reply;
  if (answer.kind === 'failed') return answer.error;
  throw new Error(`the request was accepted: ${answer.outcome.message}`);
}
