import type { ExecutionPlan } from '@nervix/model';
import { BranchPresence } from '../../src/branch/branch-presence.js';
import { UnpacedClock } from '../../src/clock/unpaced-clock.js';
import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { noSecrets } from '../../src/connector/client-secrets.ts';
import { Graph } from '../../src/domain/graph.js';
import { RuntimeLog } from '../../src/log.js';
import { DomainMetrics } from '../../src/metrics/domain-metrics.js';
import { MetricStore } from '../../src/metrics/metric-store.js';
import type { OfferOutcome } from '../../src/node/endpoint-intake.js';
import { INGEST_GROUP_LIMITS } from '../../src/node/ingest-group.js';
import { randomPool } from '../../src/node/random-pool.js';
import type { RelayBatch } from '../../src/relay/relay-batch.js';
import { DomainUdfs } from '../../src/udf/domain-udfs.js';

/** A relay's consumer that keeps what it gets; it resolves no share by itself. */
export class Probe {
  readonly isAttached = true;
  readonly batches: RelayBatch[] = [];
  /** Whether it takes batches; the relay has to be pumped when that changes. */
  isOpen = true;

  hasRoom(): boolean {
    return this.isOpen;
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

/** A graph in virtual time, fed and read at its relays or offered bodies at its ingestors. */
export function virtualGraph(
  plan: ExecutionPlan,
  clock: VirtualClock = new VirtualClock(),
  randomBytes: (count: number) => Uint8Array = randomPool(),
) {
  const store = new MetricStore(clock);
  const presence = new BranchPresence();
  const messages: string[] = [];
  const graph = new Graph(
    {
      domain: plan.domain,
      generation: plan.generation,
      clock,
      time: new UnpacedClock(plan.domain, plan.generation, clock),
      randomBytes,
      log: new RuntimeLog(
        ({ message }) => messages.push(message),
        'info',
        () => clock.monotonicMs(),
      ),
      metrics: new DomainMetrics(store, plan.domain, '-'),
      ingestGroup: INGEST_GROUP_LIMITS,
      secrets: noSecrets,
      udfs: new DomainUdfs(plan.udfs),
    },
    plan,
    () => presence,
  );
  const failures: unknown[] = [];
  graph.start((error) => failures.push(error));
  for (const ingestor of graph.ingestors) ingestor.start();
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
  /** Offers a body to an ingestor; the outcome is there once it is settled. */
  const offer = (text: string, ingestor = 0): { outcome: OfferOutcome | undefined } => {
    const offered: { outcome: OfferOutcome | undefined } = { outcome: undefined };
    const request = {
      body: Buffer.from(text),
      isLines: text.includes('\n'),
      headers: () => [],
    };
    graph.ingestors[ingestor]!.offer(request, (outcome) => {
      if (offered.outcome !== undefined) throw new Error('a body is settled once');
      offered.outcome = outcome;
    });
    return offered;
  };
  const advance = async (ms: number): Promise<void> => {
    await settle();
    clock.advance(ms);
    await settle();
  };
  return {
    graph,
    clock,
    store,
    presence,
    messages,
    failures,
    probe,
    publish,
    offer,
    advance,
    settle,
  };
}
