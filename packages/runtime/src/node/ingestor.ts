import type { IngestorPlan, SchemaPlan } from '@nervix/model';
import { AckSet } from '../ack/ack-set.js';
import { nanosToMs, type Timer } from '../clock/clock.js';
import type { PayloadDecoder } from '../codec/payload-codec.js';
import type { IntakeRequest } from '../connector/http/http-intake.js';
import { IMMEDIATE_FLUSH_MS } from '../flush/flush-policy.js';
import type { RouteOutput } from '../flush/route-output.js';
import type { PayloadMeter } from '../metrics/domain-metrics.js';
import { AckWindow, type PendingRequest } from './ack-window.js';
import { DecodeErrors } from './decode-errors.js';
import { type BranchSettings, type DomainNode, untilUnblocked } from './domain-node.js';
import type { IntakeTarget, OfferOutcome, Settle } from './endpoint-intake.js';
import { EntryRoute } from './entry-route.js';
import { GroupDispatch } from './group-dispatch.js';
import { type ClosedGroup, IngestGroup } from './ingest-group.js';
import { type HoldCause, IntakeHold } from './intake-hold.js';
import { INTERNAL_ERROR, InternalErrors } from './internal-errors.js';
import { type NodeContext, takeSnapshot } from './node-context.js';
import { BodyQueue, type HeldBody, type WaitingBody } from './quiesce-buffer.js';
import type { RelayLookup } from './relay-lookup.js';

/** Bytes of undecoded bodies that may wait for room in the relays, per ingestor. */
export const WAITING_BYTES_MAX: number = 16 * 1024 * 1024;

/** Whether an ingestor takes bodies, holds them by its quiesce mode, or refuses them. */
export type IntakeState = 'running' | 'held' | 'stopped';

/** Figures of an ingestor beside its traffic. */
export interface IngestorFigures {
  readonly state: IntakeState;
  /** Why it is held; none when it is not. */
  readonly quiesceCauses: readonly HoldCause[];
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
  readonly #internalErrors: InternalErrors;
  readonly #ending = Promise.withResolvers<void>();
  readonly #hold: IntakeHold;
  /** Bodies that found no room or came behind others; nobody has been answered yet. */
  readonly #waiting = new BodyQueue();
  #isStopped = false;
  #lastOfferMs = 0;
  #idleTimer: Timer | undefined;
  #admitTimer: Timer | undefined;
  #isDelivering = false;
  #delivered = 0;

  constructor(options: {
    readonly context: NodeContext;
    readonly plan: IngestorPlan;
    readonly relays: RelayLookup;
    readonly schema: SchemaPlan;
    readonly decoder: PayloadDecoder;
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
    this.#dispatch = new GroupDispatch({ context, node, plan, schema, routes: this.#routes });
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
    this.#internalErrors = new InternalErrors(context, node);
    this.#hold = new IntakeHold(plan.quiesce, metrics, plan.name);
  }

  get isIdle(): boolean {
    return (
      this.#group.isEmpty &&
      this.#waiting.length === 0 &&
      this.#outputs.every((output) => output.isIdle)
    );
  }

  /**
   * Bodies that were taken in and whose outcome is open. One whose rows all wait for something that
   * may never come is not among them, nor is a body that a hold keeps.
   */
  get openRoots(): number {
    if (this.#window === null) return 0;
    return this.#window.used - this.#window.idle - this.#hold.bodies.waiting;
  }

  /** A body that still waits to be decoded stands for one row. */
  get heldRows(): number {
    const buffered = this.#outputs.reduce((rows, output) => rows + output.heldRows, 0);
    return this.#group.rowCount + this.#waiting.length + buffered;
  }

  get branchCount(): number {
    return 0;
  }

  get figures(): IngestorFigures {
    return {
      state: this.#state,
      quiesceCauses: this.#isStopped ? [] : this.#hold.causes,
      bufferedRecords: this.#hold.bodies.length,
      bufferedBytes: this.#hold.bodies.bytes,
      dropped: this.#hold.dropped.value,
      rejected: this.#hold.rejected.value,
      decodeErrors: this.#decodeErrors.counter.value,
      waitingRequests: this.#window?.used ?? 0,
    };
  }

  /** Deliveries are driven by what arrives; this only waits for the end. */
  run(): Promise<void> {
    return this.#ending.promise;
  }

  /**
   * Starts intake, or ends a domain pause. What holds kept, here or in a predecessor, goes in first
   * and whatever its size: its senders may have been told that it is accepted.
   */
  start(held: readonly HeldBody[] = []): void {
    const own = this.#hold.bodies.takeAll();
    for (const { request, settle, dueMs } of held) {
      this.#hold.bodies.push(this.#bodyOf(request, settle, dueMs ?? undefined));
    }
    for (const body of own) this.#hold.bodies.push(body);
    this.#isStopped = false;
    this.resume('domain pause');
  }

  /** Holds intake by the quiesce mode; what was admitted goes on. */
  hold(cause: HoldCause = 'domain pause'): void {
    const wasRunning = this.#state === 'running';
    this.#hold.add(cause);
    if (!wasRunning || this.#hold.bodies.length === 0) return;
    // Bodies of an earlier hold are still there: what came behind them stays behind them.
    for (const body of this.#waiting.takeAll()) {
      const refusal = this.#hold.refusal(body.request);
      if (refusal === null) this.#keep(body);
      else this.#settle(body, refusal);
    }
  }

  /** Ends a hold; intake goes on once the last one ended. */
  resume(cause: HoldCause): void {
    this.#hold.remove(cause);
    if (this.#state === 'running') this.#admitQueued();
  }

  /** Refuses bodies from now on; what was admitted goes on. */
  refuse(): void {
    this.#isStopped = true;
    for (const body of this.#hold.bodies.takeAll()) {
      this.#hold.dropped.value += 1;
      this.#settle(body, { kind: 'not_running' });
    }
  }

  /** What a hold keeps, for the successor of this ingestor. */
  takeHeld(): readonly HeldBody[] {
    return this.#hold.bodies.takeAll().map(({ request, settle, slot }) => {
      if (slot === null) return { request, settle, dueMs: null };
      this.#window?.leave(slot);
      return { request, settle: slot.settle, dueMs: slot.dueMs };
    });
  }

  offer(request: IntakeRequest, settle: Settle): void {
    if (this.#isStopped) {
      settle({ kind: 'not_running' });
      return;
    }
    const refusal = this.#hold.isOn ? this.#hold.refusal(request) : null;
    if (refusal !== null) {
      settle(refusal);
    } else if (this.#window?.isFull === true) {
      settle({ kind: 'busy' });
    } else {
      const body = this.#bodyOf(request, settle);
      if (this.#hold.isOn) this.#keep(body);
      else this.#take(body);
    }
  }

  flush(): void {
    this.#deliver();
    for (const output of this.#outputs) output.flushAll();
  }

  keepAlive(): void {
    for (const output of this.#outputs) output.keepAlive();
  }

  scanBranches(): void {
    // Keys live on the relays; a route buffer ends with its flush.
  }

  refreshMetrics(): void {
    this.#hold.refreshMetrics();
  }

  close(reason: string): void {
    this.refuse();
    this.#idleTimer?.cancel();
    this.#admitTimer?.cancel();
    for (const body of this.#waiting.takeAll()) this.#settle(body, { kind: 'not_running' });
    for (const { token } of this.#group.take().members) {
      if (token !== null) this.#window?.close(token, { kind: 'failed' });
    }
    for (const output of this.#outputs) output.close(reason);
    this.#ending.resolve();
  }

  get #state(): IntakeState {
    if (this.#isStopped) return 'stopped';
    return this.#hold.isOn ? 'held' : 'running';
  }

  /** Bodies that are not in yet. */
  get #queued(): number {
    return this.#hold.bodies.length + this.#waiting.length;
  }

  /** A body with its slot, if its outcome is waited for; a settled slot leaves every queue. */
  #bodyOf(request: IntakeRequest, settle: Settle | null, dueMs?: number): WaitingBody {
    if (this.#window === null || settle === null) return { request, settle, slot: null };
    const slot = this.#window.open((outcome) => {
      this.#hold.bodies.remove(body);
      this.#waiting.remove(body);
      settle(outcome);
    }, dueMs);
    const body = { request, settle: null, slot };
    return body;
  }

  #settle({ settle, slot }: WaitingBody, outcome: OfferOutcome): void {
    if (slot === null) settle?.(outcome);
    else this.#window?.close(slot, outcome);
  }

  /** Keeps a body for the end of the hold. */
  #keep(body: WaitingBody): void {
    this.#hold.bodies.push(body.slot === null ? { ...body, settle: null } : body);
    if (body.slot === null) this.#settle(body, { kind: 'buffered' });
  }

  #take(body: WaitingBody): void {
    if (this.#queued === 0 && this.#hasRoom()) this.#admit(body);
    else if (this.#waiting.hasRoom(body.request, WAITING_BYTES_MAX)) this.#waiting.push(body);
    else this.#settle(body, { kind: 'busy' });
  }

  #hasRoom(): boolean {
    return !this.#group.isFull || !this.#isBlocked();
  }

  /**
   * Lets queued bodies in as far as there is room. It pauses after every group, so that others get
   * their turn and what is due leaves, which shows how much room there is.
   */
  #admitQueued(): void {
    this.#admitTimer?.cancel();
    this.#admitTimer = undefined;
    const delivered = this.#delivered;
    while (this.#hasRoom()) {
      if (this.#delivered > delivered) {
        if (this.#queued === 0) return;
        this.#admitTimer = this.#context.clock.after(IMMEDIATE_FLUSH_MS, () => {
          this.#admitQueued();
        });
        return;
      }
      const body =
        (this.#state === 'running' ? this.#hold.bodies.shift() : undefined) ??
        this.#waiting.shift();
      if (body === undefined) return;
      this.#admit(body);
    }
  }

  #admit(body: WaitingBody): void {
    try {
      this.#decode(body);
    } catch (error) {
      this.#settle(body, { kind: 'failed' });
      this.#report(error);
    }
  }

  #decode(body: WaitingBody): void {
    const { request } = body;
    const rowsBefore = this.#group.rowCount;
    const refused = this.#group.decode(request);
    if (refused !== undefined) {
      this.#decodeErrors.report(refused.failure);
      if (this.#decodeErrors.keepsPayload) {
        this.#group.refuse({ request, failure: refused.failure });
        this.#touch();
      }
      this.#settle(body, { kind: 'undecodable', line: refused.line });
      return;
    }
    const rows = this.#group.rowCount - rowsBefore;
    this.#received.count(rows, request.body.length);
    if (this.#window === null) {
      this.#settle(body, { kind: 'decoded' });
      if (this.#dispatch.readsHeaders && rows > 0) this.#group.remember(request, null);
    } else if (rows === 0) {
      this.#settle(body, { kind: 'acknowledged' });
    } else {
      this.#group.remember(request, body.slot);
    }
    if (rows > 0) this.#touch();
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
      this.#admitQueued();
    });
  }

  #deliverNow(): void {
    if (this.#group.isEmpty) return;
    const group = this.#group.take();
    this.#delivered += 1;
    const roots = group.batch.rowCount > 0 ? this.#roots(group) : null;
    const snapshot = takeSnapshot(this.#context);
    try {
      if (group.batch.rowCount > 0) {
        this.#dispatch.dispatch(group, roots?.acks ?? AckSet.NONE, snapshot);
        roots?.dispatched();
      }
    } catch (error) {
      roots?.drop(INTERNAL_ERROR);
      this.#report(error);
    }
    // A fault of the good rows is none of the refused payloads, nor the other way round.
    try {
      this.#decodeErrors.deliver(group.refused, snapshot);
    } catch (error) {
      this.#report(error);
    }
  }

  /** Work starts in timers and calls of others, who must not get what {@link run} owes. */
  #report(error: unknown): void {
    try {
      this.#internalErrors.report(error);
    } catch (broken) {
      this.#ending.reject(broken);
    }
  }

  #roots(group: ClosedGroup<PendingRequest | null>): ReturnType<AckWindow['roots']> | null {
    if (this.#window === null) return null;
    return this.#window.roots(group.members, group.batch.rowCount);
  }
}
