import type { ExecutionPlan } from '@nervix/model';
import { BranchPresence } from '../../src/branch/branch-presence.js';
import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { Graph } from '../../src/domain/graph.js';
import { RuntimeLog } from '../../src/log.js';
import { DomainMetrics } from '../../src/metrics/domain-metrics.js';
import { MetricStore } from '../../src/metrics/metric-store.js';
import { INGEST_GROUP_LIMITS } from '../../src/node/ingest-group.js';
import { randomPool } from '../../src/node/random-pool.js';
import type { RelayBatch } from '../../src/relay/relay-batch.js';

/** A relay's consumer that keeps what it gets; it resolves no share by itself. */
export class Probe {
  readonly isAttached = true;
  readonly batches: RelayBatch[] = [];

  hasRoom(): boolean {
    return true;
  }

  deliver(batch: RelayBatch): void {
    this.batches.push(batch);
  }

  /** Every row as plain data. */
  rows(): Record<string, unknown>[] {
    return this.batches.flatMap(({ batch }) =>
      Array.from({ length: batch.rowCount }, (_, row) =>
        Object.fromEntries(batch.schema.fields.map(({ name }) => [name, batch.value(name, row)])),
      ),
    );
  }
}

/** A graph in virtual time, fed and read at its relays. */
export function virtualGraph(plan: ExecutionPlan, clock: VirtualClock = new VirtualClock()) {
  const presence = new BranchPresence();
  const messages: string[] = [];
  const graph = new Graph(
    {
      domain: plan.domain,
      generation: plan.generation,
      clock,
      randomBytes: randomPool(),
      log: new RuntimeLog(
        ({ message }) => messages.push(message),
        'info',
        () => clock.monotonicMs(),
      ),
      metrics: new DomainMetrics(new MetricStore(clock), plan.domain, '-'),
      ingestGroup: INGEST_GROUP_LIMITS,
    },
    plan,
    () => presence,
  );
  const failures: unknown[] = [];
  graph.start((error) => failures.push(error));
  const probe = (relay: string): Probe => {
    const created = new Probe();
    graph.relays.find(relay).relay.connect(created);
    return created;
  };
  /** Lets every node run as far as it can without time passing. */
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    if (failures.length > 0) throw failures[0];
  };
  const publish = async (relay: string, batch: RelayBatch): Promise<void> => {
    void graph.relays.find(relay).relay.publish(batch);
    await settle();
  };
  const advance = async (ms: number): Promise<void> => {
    await settle();
    clock.advance(ms);
    await settle();
  };
  return { graph, clock, presence, messages, probe, publish, advance, settle };
}
