import type { ExecutionPlan, RelayPlan } from '@nervix/model';
import type { BranchPresence } from '../branch/branch-presence.js';
import { BranchRegistry } from '../branch/branch-registry.js';
import { runtimeError } from '../errors.js';
import type { BranchSettings } from '../node/domain-node.js';
import type { NodeContext } from '../node/node-context.js';
import type { TypedRelay } from '../node/relay-lookup.js';
import { Relay } from '../relay/relay.js';
import type { PlanIndex } from './plan-index.js';

interface OwnedRelay extends TypedRelay {
  readonly branch: BranchSettings | null;
  /** Concrete keys that live on the relay; null when unbranched. */
  readonly keys: BranchRegistry<null> | null;
}

/** All relays of one installed plan. */
export class DomainRelays {
  readonly #domain: string;
  readonly #relays: ReadonlyMap<string, OwnedRelay>;

  constructor(
    context: NodeContext,
    plan: ExecutionPlan,
    index: PlanIndex,
    presenceOf: (branch: string) => BranchPresence,
  ) {
    this.#domain = plan.domain;
    this.#relays = new Map(
      plan.relays.map((relay) => [relay.name, ownRelay(context, relay, index, presenceOf)]),
    );
  }

  find(name: string): OwnedRelay {
    const relay = this.#relays.get(name);
    if (relay === undefined) {
      throw runtimeError('RUNTIME_UNKNOWN_RELAY', { domain: this.#domain, relay: name });
    }
    return relay;
  }

  has(name: string): boolean {
    return this.#relays.has(name);
  }

  all(): IterableIterator<OwnedRelay> {
    return this.#relays.values();
  }

  /** @param isHeld relays whose keys stay for now, by name */
  scanBranches(nowNanos: bigint, isHeld: (relay: string) => boolean): void {
    for (const { relay, keys } of this.#relays.values()) {
      if (!isHeld(relay.name)) keys?.scan(nowNanos);
    }
  }

  /** Tells the sources of buffered rows that these are held on purpose. */
  keepAlive(): void {
    for (const { relay } of this.#relays.values()) relay.keepAlive();
  }

  /** Puts the capacities of the same relays in another plan in force. */
  setCapacities(before: readonly RelayPlan[], after: readonly RelayPlan[]): void {
    if (before === after) return;
    for (const [place, plan] of after.entries()) {
      if (before[place] === plan) continue;
      const { relay } = this.find(plan.name);
      if (relay.capacity !== plan.capacity) relay.setCapacity(plan.capacity);
    }
  }

  close(reason: string): void {
    for (const { relay } of this.#relays.values()) relay.close(reason);
  }
}

/** A plan's branch declaration as nodes apply it. */
export function branchSettings(index: PlanIndex, name: string | null): BranchSettings | null {
  if (name === null) return null;
  const plan = index.branch(name);
  return { name, schema: index.schema(plan.schema), limits: plan };
}

function ownRelay(
  context: NodeContext,
  plan: RelayPlan,
  index: PlanIndex,
  presenceOf: (branch: string) => BranchPresence,
): OwnedRelay {
  const { metrics, time } = context;
  const meterOf = (direction: 'received' | 'sent') =>
    metrics.meter({ kind: 'RELAY', target: plan.name, direction, relay: '-' });
  const received = meterOf('received');
  const sent = meterOf('sent');
  const bufferLength = metrics.relayBuffer(plan.name);
  const branch = branchSettings(index, plan.branch);
  const presence = branch === null ? null : presenceOf(branch.name);
  const keys =
    branch === null
      ? null
      : new BranchRegistry<null>({
          limits: branch.limits,
          create: (key) => {
            presence?.appeared(key.text);
            return null;
          },
          evicted: (key, _state, reason) => {
            presence?.evicted(key.text, reason);
          },
        });
  const relay = new Relay(plan.name, plan.capacity, {
    admitted: (batch, depth) => {
      received.count(batch);
      bufferLength.observe(depth);
      if (batch.branchKey !== null) keys?.touch(batch.branchKey, time.nowNanos());
    },
    fannedOut: (batch) => {
      sent.count(batch);
    },
  });
  return { relay, schema: index.schema(plan.schema), branch, keys };
}
