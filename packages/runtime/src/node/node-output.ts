import type { FlushPolicy } from '../flush/flush-policy.js';
import { RouteOutput } from '../flush/route-output.js';
import type { Relay } from '../relay/relay.js';
import { faultsOf } from './internal-errors.js';
import { type NodeContext, type NodeIdentity, publisherOf } from './node-context.js';

/** A node's way out to a relay: it counts there what the node sends, and reports its faults. */
export function openOutput(
  context: NodeContext,
  node: NodeIdentity,
  relay: Relay,
  policy: FlushPolicy | null,
): RouteOutput {
  return new RouteOutput({
    relay,
    publisher: publisherOf(node),
    policy,
    clock: context.time,
    failed: faultsOf(context, node),
    sent: context.metrics.meter({
      kind: node.kind,
      target: node.name,
      direction: 'sent',
      relay: relay.name,
    }),
  });
}
