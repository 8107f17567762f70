import assert from 'node:assert/strict';
import type { Answer, Caller, Request } from './caller.ts';
import { RELAYS } from './catalogue.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Why a move may be refused for what the cluster is like. */
const OF_CLUSTER = new RegExp(
  [
    'is (cordoned|terminating|not a live raft voter|another incarnation|of an incarnation)',
    'has no live owner',
    'moving work between cluster nodes is not supported',
    'changed while the move was planned',
  ].join('|'),
  'u',
);

/** Moves a relay to a node, or asks what that would do. */
export function relocation(
  random: SeededRandom,
  { domain, model }: Pick<Caller, 'domain' | 'model'>,
  nodes: readonly string[],
  execution_reference: string,
): Pick<Request, 'query' | 'asked' | 'judge'> {
  const relay = random.pick(RELAYS.filter(({ kind }) => kind === 'relay'));
  const node = random.chance(0.1) ? 'n9' : random.pick(nodes);
  const verb = random.pick(['RELOCATE', 'DESCRIBE RELOCATION', 'EXPLAIN RELOCATE']);
  const query = `${verb} ${relay.label} ONTO NODE ${node} FOLLOW PREFERENCES;`;
  const isHeld = model.holds(relay);
  const judge = ({ isCompleted, code, message }: Answer): void => {
    if (!isHeld || node === 'n9') {
      const codes = isHeld ? ['NOT_FOUND', 'INVALID_REQUEST'] : ['NOT_FOUND'];
      assert(codes.includes(code ?? ''), `${query}: ${code} ${message}`);
      const absent = `relay '${relay.name}' does not exist in domain '${domain}'`;
      const unknown = "node 'n9' is not a raft member";
      const told = isHeld ? [unknown] : node === 'n9' ? [absent, unknown] : [absent];
      assert(told.includes(message), `${query}: ${message}`);
    } else if (isCompleted) {
      const block = `relocation onto node '${node}'\nquiesce level: `;
      assert(message.includes(block), `${query}: ${message}`);
      if (verb === 'RELOCATE')
        assert.match(message, /^relocated [01] of 1 runtime node\(s\) onto/u);
    } else assert.match(message, OF_CLUSTER, query);
  };
  return { query, asked: { domain, execution_reference }, judge };
}
