import type { IngestorPlan, SchemaPlan } from '@nervix/model';
import { AckSet } from '../ack/ack-set.js';
import { nanosToMs, type Timer } from '../clock/clock.js';
import type { JsonDecoder } from '../codec/json-decoder.js';
import type { IntakeRequest } from '../connector/http/http-intake.js';
import type { RouteOutput } from '../flush/route-output.js';
import type { PayloadMeter } from '../metrics/domain-metrics.js';
import type { Series } from '../metrics/metric-store.js';
import { AckWindow, type PendingRequest } from './ack-window.js';
import { DecodeErrors } from './decode-errors.js';
import { type BranchSettings, type DomainNode, untilUnblocked } from './domain-node.js';
import type { IntakeTarget, OfferOutcome } from './endpoint-intake.js';
import { EntryRoute } from './entry-route.js';
import { GroupDispatch } from './group-dispatch.js';
import { type ClosedGroup, IngestGroup } from './ingest-group.js';
import { type NodeContext, takeSnapshot } from './node-context.js';
import { BodyQueue, type HeldBody, quiesceBytes, retryAfterSeconds } from './quiesce-buffer.js';
import type { RelayLookup } from './relay-lookup.js';

/** Bytes of undecoded bodies that may wait for room in the relays, per ingestor. */
export const WAITING_BYTES_MAX: number = 16 * 1024 * 1024;

/** Whether an ingestor takes bodies, holds them by its quiesce mode, or refuses them. */
export type IntakeState = 'running' | 'held' | 'stopped';

type Settle = (outcome: OfferOutcome) => void;

/** Figures of an ingestor beside its traffic. */
export interface IngestorFigures {
  readonly state: IntakeState;
  readonly bufferedRecords: number;
  readonly bufferedBytes: number;
  readonly dropped: number;
  readonly rejected: number;
  readonly decodeErrors: number;
  readonly waitingRequests: number;
}

/** An ingestor of an HTTP endpoint: decodes bodies into groups and hands the groups to its routes. */
export class Ingestor implements DomainNode, IntakeTarget {
  readonly kind = 'INGESTOR';
  readonly name: string;
  readonly plan: IngestorPlan;
  readonly #context: NodeContext;
  readonly #group: IngestGroup<PendingRequest | null>;
  readonly #dispatch: GroupDispatch;
  readonly #routes: readonly EntryRoute[];
  readonly #decodeErrors: DecodeErrors;
  readonly #outputs: readonly RouteOutput[];
  readonly #received: PayloadMeter;
  readonly #window: AckWindow | null;
  readonly #held: BodyQueue;
  readonly #waiting = new BodyQueue(WAITING_BYTES_MAX);
  readonly #counters: { readonly dropped: Series; readonly rejected: Series };
  readonly #gauges: { readonly records: Series; readonly bytes: Series };
  #state: IntakeState = 'held';
  #lastOfferMs = 0;
  #idleTimer: Timer | undefined;
  #isDelivering = false;

  constructor(options: {
    readonly context: NodeContext;
    readonly plan: IngestorPlan;
    readonly relays: RelayLookup;
    readonly schema: SchemaPlan;
    readonly decoder: JsonDecoder;
    /** Branch declaration of each route, in order. */
    readonly branches: readonly (BranchSettings | null)[];
  }) {
    const { context, plan, relays, schema } = options;
    const node = { kind: 'INGESTOR', name: plan.name } as const;
    this.name = plan.name;
    this.plan = plan;
    this.#context = context;
    this.#group = new IngestGroup(options.decoder, schema, context.ingestGroup);
    this.#routes = plan.routes.map(
      (route, index) =>
        new EntryRoute({
          context,
          node,
          plan: route,
          relays,
          inputSchema: schema,
          branch: options.branches[index] ?? null,
        }),
    );
    this.#decodeErrors = new DecodeErrors({
      context,
      node,
      plan: plan.decodeError,
      codec: plan.codec,
      isPayloadSensitive: schema.fields.some((field) => field.sensitive),
      relays,
    });
    this.#outputs = [
      ...this.#routes.flatMap((route) => route.outputs),
      ...(this.#decodeErrors.output === null ? [] : [this.#decodeErrors.output]),
    ];
    this.#dispatch = new GroupDispatch({ node, plan, schema, routes: this.#routes });
    const { metrics, clock } = context;
    this.#received = metrics.payloadMeter({
      kind: 'INGESTOR',
      target: plan.name,
      direction: 'received',
      relay: '-',
    });
    this.#window =
      plan.ackWindow === null
        ? null
        : new AckWindow(plan.ackWindow.max, nanosToMs(plan.ackWindow.timeoutNanos), clock);
    this.#held = new BodyQueue(quiesceBytes(plan.quiesce));
    const labels = { ingestor: plan.name };
    this.#counters = {
      dropped: metrics.counter('nervix_ingestor_quiesce_dropped_total', labels),
      rejected: metrics.counter('nervix_ingestor_quiesce_rejected_total', labels),
    };
    this.#gauges = {
      records: metrics.gauge('nervix_ingestor_quiesce_buffered_records', labels),
      bytes: metrics.gauge('nervix_ingestor_quiesce_buffered_bytes', labels),
    };
  }

  get isIdle(): boolean {
    return (
      this.#group.isEmpty &&
      this.#waiting.length === 0 &&
      this.#outputs.every((output) => output.isIdle)
    );
  }

  get branchCount(): number {
    return 0;
  }

  get figures(): IngestorFigures {
    return {
      state: this.#state,
      bufferedRecords: this.#held.length,
      bufferedBytes: this.#held.bytes,
      dropped: this.#counters.dropped.value,
      rejected: this.#counters.rejected.value,
      decodeErrors: this.#decodeErrors.counter.value,
      waitingRequests: this.#window?.used ?? 0,
    };
  }

  /** Deliveries are driven by what arrives; there is nothing to run. */
  async run(): Promise<void> {}

  /** Starts intake, first of all with what a hold kept. */
  start(held: readonly HeldBody[] = []): void {
    this.#state = 'running';
    for (const { request, settle } of [...held, ...this.#held.takeAll()]) {
      this.#take(request, settle ?? ignoreOutcome);
    }
  }

  /** Holds intake by the quiesce mode; what was admitted goes on. */
  hold(): void {
    if (this.#state === 'running') this.#state = 'held';
  }

  /** Refuses bodies from now on; what was admitted goes on. */
  refuse(): void {
    this.#state = 'stopped';
    this.#discardHeld();
  }

  /** What a hold keeps, for the successor of this ingestor. */
  takeHeld(): readonly HeldBody[] {
    return this.#held.takeAll();
  }

  offer(request: IntakeRequest, settle: Settle): void {
    if (this.#state === 'running') this.#take(request, settle);
    else if (this.#state === 'held') this.#hold(request, settle);
    else settle({ kind: 'not_running' });
  }

  flush(): void {
    this.#deliver();
    for (const output of this.#outputs) output.flushAll();
  }

  scanBranches(): void {
    // Keys live on the relays; a route buffer ends with its flush.
  }

  refreshMetrics(): void {
    this.#gauges.records.value = this.#held.length;
    this.#gauges.bytes.value = this.#held.bytes;
  }

  close(reason: string): void {
    this.refuse();
    this.#idleTimer?.cancel();
    for (const { settle } of this.#waiting.takeAll()) settle?.({ kind: 'not_running' });
    for (const { token } of this.#group.take().members) {
      if (token !== null) this.#window?.close(token, { kind: 'failed' });
    }
    for (const output of this.#outputs) output.close(reason);
  }

  #take(request: IntakeRequest, settle: Settle): void {
    if (this.#waiting.length > 0 || (this.#group.isFull && this.#isBlocked())) {
      if (!this.#waiting.push({ request, settle })) settle({ kind: 'busy' });
      return;
    }
    this.#admit(request, settle);
  }

  #admit(request: IntakeRequest, settle: Settle): void {
    if (this.#window?.isFull === true) {
      settle({ kind: 'busy' });
      return;
    }
    const rowsBefore = this.#group.rowCount;
    const refused = this.#group.decode(request);
    if (refused !== undefined) {
      this.#decodeErrors.report(refused.failure);
      if (this.#decodeErrors.keepsPayload) {
        this.#group.refuse({ request, failure: refused.failure });
        this.#touch();
      }
      settle({ kind: 'undecodable', line: refused.line });
      return;
    }
    const rows = this.#group.rowCount - rowsBefore;
    this.#received.count(rows, request.body.length);
    this.#settleDecoded(request, rows, settle);
    if (rows > 0) this.#touch();
  }

  #settleDecoded(request: IntakeRequest, rows: number, settle: Settle): void {
    if (this.#window === null) {
      settle({ kind: 'decoded' });
      if (this.#dispatch.readsHeaders && rows > 0) this.#group.remember(request, null);
    } else if (rows === 0) {
      settle({ kind: 'acknowledged' });
    } else {
      this.#group.remember(request, this.#window.open(settle));
    }
  }

  /** Notes that the group grew: it closes when full, or when the source stays quiet. */
  #touch(): void {
    this.#lastOfferMs = this.#context.clock.monotonicMs();
    if (this.#group.isFull) this.#deliver();
    else if (this.#idleTimer === undefined) this.#armIdle(this.#context.ingestGroup.idleMs);
  }

  #armIdle(delayMs: number): void {
    this.#idleTimer = this.#context.clock.after(delayMs, () => {
      this.#idleTimer = undefined;
      const quietMs = this.#context.clock.monotonicMs() - this.#lastOfferMs;
      if (quietMs >= this.#context.ingestGroup.idleMs) this.#deliver();
      else this.#armIdle(this.#context.ingestGroup.idleMs - quietMs);
    });
  }

  #isBlocked(): boolean {
    return this.#outputs.some((output) => output.blocked !== undefined);
  }

  /** Hands the group to the routes, now or as soon as no output of them is blocked. */
  #deliver(): void {
    if (this.#group.isEmpty || this.#isDelivering) return;
    if (!this.#isBlocked()) {
      this.#deliverNow();
      return;
    }
    this.#isDelivering = true;
    void untilUnblocked(this.#outputs).then(() => {
      this.#isDelivering = false;
      this.#deliverNow();
      this.#admitWaiting();
    });
  }

  #admitWaiting(): void {
    while (this.#waiting.length > 0 && !(this.#group.isFull && this.#isBlocked())) {
      const held = this.#waiting.shift();
      if (held !== undefined) this.#admit(held.request, held.settle ?? ignoreOutcome);
    }
  }

  #deliverNow(): void {
    if (this.#group.isEmpty) return;
    const group = this.#group.take();
    const snapshot = takeSnapshot(this.#context);
    if (group.batch.rowCount > 0) {
      const roots = this.#roots(group);
      this.#dispatch.dispatch(group, roots?.acks ?? AckSet.NONE, snapshot);
      roots?.dispatched();
    }
    this.#decodeErrors.deliver(group.refused, snapshot);
  }

  #roots(group: ClosedGroup<PendingRequest | null>): ReturnType<AckWindow['roots']> | null {
    if (this.#window === null) return null;
    const members = group.members.flatMap(({ token, ...member }) =>
      token === null ? [] : [{ ...member, token }],
    );
    return this.#window.roots(members, group.batch.rowCount);
  }

  #hold(request: IntakeRequest, settle: Settle): void {
    const { quiesce } = this.plan;
    if (quiesce.kind === 'reject') {
      this.#counters.rejected.value += 1;
      settle({ kind: 'rejected', retryAfterSeconds: retryAfterSeconds(quiesce) });
      return;
    }
    const waits = this.#window !== null;
    if (!this.#held.push({ request, settle: waits ? settle : null })) {
      this.#counters.rejected.value += 1;
      settle({ kind: 'buffer_full' });
    } else if (!waits) {
      settle({ kind: 'buffered' });
    }
  }

  #discardHeld(): void {
    for (const { settle } of this.#held.takeAll()) {
      this.#counters.dropped.value += 1;
      settle?.({ kind: 'not_running' });
    }
  }
}

function ignoreOutcome(): void {
  // Answered when the body was held.
}
