import type { MessageErrorPlan } from '@nervix/model';
import type { NodePlan } from './node-plans.js';

/** Relays that a node reads. */
export function readRelays(node: NodePlan): readonly string[] {
  return node.kind === 'ingestor' ? [] : node.inputs.map(({ relay }) => relay);
}

/** Relays that a node writes, be it records or errors. */
export function writtenRelays(node: NodePlan): ReadonlySet<string> {
  const written = new Set<string>();
  const addErrors = (policy: MessageErrorPlan): void => {
    if (policy.kind === 'send_to') written.add(policy.relay);
  };
  if (node.kind === 'emitter') {
    addErrors(node.messageError);
    return written;
  }
  for (const { relay, messageError } of node.routes) {
    written.add(relay);
    addErrors(messageError);
  }
  if (node.kind === 'ingestor' && node.decodeError?.kind === 'send_to') {
    written.add(node.decodeError.relay);
  }
  return written;
}
