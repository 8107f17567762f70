import type { DomainNode } from '../node/domain-node.js';

/** Which of some nodes still hold or work on rows, as a drain names them. */
export function pendingNodes(nodes: readonly DomainNode[]): readonly string[] {
  return nodes.flatMap(({ isIdle, kind, name }) =>
    isIdle ? [] : [`${kind.toLowerCase().replace('_', ' ')} '${name}'`],
  );
}
