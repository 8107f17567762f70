import type { EmitterPlan, SchemaPlan } from '@nervix/model';
import { nanosToMs, type Timer } from '../clock/clock.js';
import { afterDelay, type Mark, markOf } from '../clock/delay.js';
import type { RowEncoder } from '../codec/payload-codec.js';
import type { HttpSink, PreparedRequest } from '../connector/http/http-sink.js';
import { type FlushPolicy, flushPolicy } from '../flush/flush-policy.js';
import type { PayloadMeter } from '../metrics/domain-metrics.js';
import type { RelayBatch } from '../relay/relay-batch.js';
import { Backoff } from './backoff.js';
import { type Cutover, type DomainNode, untilUnblocked } from './domain-node.js';
import { EmitterRows, type PreparedRow } from './emitter-rows.js';
import { InputStage, type StagedBatch } from './input-stage.js';
import { INTERNAL_ERROR, InternalErrors } from './internal-errors.js';
import { referenced } from './message-failure.js';
import { type NodeContext, type NodeIdentity, nodeLabel, takeSnapshot } from './node-context.js';
import type { RelayLookup } from './relay-lookup.js';

/** How an emitter is doing. */
export interface EmitterFigures {
  readonly status: 'OK' | 'WAITING' | 'ERROR';
  /** Why rows cannot be delivered at present, or null. */
  readonly transientError: string | null;
  /** Wait before the next attempt, when one is under way. */
  readonly reconnectWaitMs: number | null;
  readonly bufferedRows: number;
}

/** Publishes rows to an HTTP destination, one request a row, in order, until each is answered. */
export class Emitter implements DomainNode {
  readonly kind = 'EMITTER';
  readonly name: string;
  readonly #context: NodeContext;
  readonly #label: string;
  readonly #plan: EmitterPlan;
  readonly #input: InputStage;
  readonly #rows: EmitterRows;
  readonly #sink: HttpSink;
  #policy: FlushPolicy;
  readonly #backoff: Backoff;
  readonly #sent: PayloadMeter;
  readonly #internalErrors: InternalErrors;
  readonly #closing = new AbortController();
  #pending: PreparedRow[] = [];
  #pendingBytes = 0;
  #filledAt: Mark | null = null;
  #timer: Timer | undefined;
  #isFlushDue = false;
  #isPublishing = false;
  #transientError: string | null = null;
  #waitUntilMs: number | null = null;
  /** Ends the wait before the next attempt, while there is one. */
  #endWait: (() => void) | undefined;

  constructor(options: {
    readonly context: NodeContext;
    readonly plan: EmitterPlan;
    readonly relays: RelayLookup;
    readonly inputSchema: SchemaPlan;
    readonly outputSchema: SchemaPlan | null;
    readonly encoder: RowEncoder | null;
    readonly sink: HttpSink;
  }) {
    const { context, plan, relays } = options;
    const node: NodeIdentity = { kind: 'EMITTER', name: plan.name };
    this.name = plan.name;
    this.#context = context;
    this.#label = nodeLabel(node);
    this.#internalErrors = new InternalErrors(context, node);
    this.#plan = plan;
    this.#sink = options.sink;
    this.#policy = flushPolicy(plan.flush);
    this.#backoff = new Backoff(
      nanosToMs(plan.sink.backoffNanos),
      nanosToMs(plan.sink.backoffMaxNanos),
    );
    this.#rows = new EmitterRows({ ...options, node, flush: this.#policy });
    this.#input = new InputStage({
      context,
      node,
      relays: plan.inputs.map((input) => relays(input.relay).relay),
      isAttached: plan.attached,
      collect: plan.collect,
    });
    const [onlyInput, ...otherInputs] = plan.inputs;
    this.#sent = context.metrics.payloadMeter({
      kind: 'EMITTER',
      target: plan.name,
      direction: 'sent',
      relay: onlyInput === undefined || otherInputs.length > 0 ? '-' : onlyInput.relay,
    });
  }

  get heldRows(): number {
    const buffered = this.#rows.outputs.reduce((rows, output) => rows + output.heldRows, 0);
    return this.#input.heldRows + this.#pending.length + buffered;
  }

  get isIdle(): boolean {
    return (
      this.#input.isIdle &&
      this.#pending.length === 0 &&
      !this.#isPublishing &&
      this.#rows.outputs.every((output) => output.isIdle)
    );
  }

  get branchCount(): number {
    return 0;
  }

  get figures(): EmitterFigures {
    const waitMs =
      this.#waitUntilMs === null
        ? null
        : Math.max(0, Math.ceil(this.#waitUntilMs - this.#context.clock.monotonicMs()));
    return {
      status: this.#transientError === null ? 'OK' : 'ERROR',
      transientError: this.#transientError,
      reconnectWaitMs: waitMs,
      bufferedRows: this.#pending.length,
    };
  }

  async run(): Promise<void> {
    this.#input.open();
    for (;;) {
      await untilUnblocked(this.#rows.outputs);
      const staged = await this.#input.next();
      if (staged === null) return;
      if (staged.kind === 'batch') this.#accept(staged);
      if (this.#isFlushDue || this.#pendingBytes >= this.#policy.maxBytes) await this.#publish();
    }
  }

  flush(): void {
    this.#input.flush();
    if (this.#pending.length > 0) this.#requestFlush();
    for (const output of this.#rows.outputs) output.flushAll();
  }

  /** Prepares another flush policy; what is pending is judged by it at the cutover. */
  revise({ flush, messageError }: EmitterPlan): Cutover {
    const policy = flushPolicy(flush);
    const errors = this.#rows.errors.revise(messageError, policy);
    return () => {
      this.#policy = policy;
      errors();
      this.#timer?.cancel();
      if (this.#pending.length === 0 || this.#isPublishing) return;
      if (this.#pendingBytes >= policy.maxBytes) this.#requestFlush();
      else this.#armFlush();
    };
  }

  keepAlive(): void {
    this.#input.keepAlive();
    for (const { item, row } of this.#pending) item.source.acks.aliveRow(row);
    for (const output of this.#rows.outputs) output.keepAlive();
  }

  scanBranches(): void {
    // Rows of all branches share one output buffer.
  }

  refreshMetrics(): void {
    // Counters alone.
  }

  close(reason: string): void {
    this.#closing.abort();
    this.#endWait?.();
    this.#timer?.cancel();
    this.#input.close(reason);
    const pending = this.#pending;
    this.#pending = [];
    for (const { item, row } of pending) item.source.acks.nackRow(row, reason);
    for (const output of this.#rows.outputs) output.close(reason);
  }

  #accept(staged: StagedBatch): void {
    const snapshot = takeSnapshot(this.#context);
    try {
      const preparation = this.#rows.prepare(staged, snapshot);
      if (preparation.kind === 'failed') {
        this.#failWhole(preparation.source, preparation.reason);
        return;
      }
      const prepared = preparation.rows;
      if (prepared.length === 0) return;
      if (this.#pending.length === 0) {
        this.#filledAt = markOf(this.#context.time);
        this.#armFlush();
      }
      for (const row of prepared) this.#pending.push(row);
      this.#pendingBytes += staged.batch.batch.byteSize;
    } catch (error) {
      staged.batch.acks.nack(INTERNAL_ERROR);
      this.#internalErrors.report(error);
    }
  }

  #armFlush(): void {
    if (this.#filledAt === null) return;
    const { time } = this.#context;
    this.#timer = afterDelay(this.#policy.delay, this.#filledAt, time, () => {
      this.#requestFlush();
    });
  }

  #requestFlush(): void {
    if (this.#isFlushDue) return;
    this.#isFlushDue = true;
    this.#input.enqueue(() => undefined);
  }

  /** Sends everything pending, one request after the other; no input is taken meanwhile. */
  async #publish(): Promise<void> {
    this.#isPublishing = true;
    this.#timer?.cancel();
    this.#isFlushDue = false;
    this.#pendingBytes = 0;
    while (!this.#closing.signal.aborted) {
      const next = this.#pending[0];
      if (next === undefined) break;
      try {
        await this.#deliver(next);
      } catch (error) {
        next.item.source.acks.nackRow(next.row, INTERNAL_ERROR);
        this.#internalErrors.report(error);
      }
      if (this.#closing.signal.aborted) break;
      this.#pending.shift();
      await untilUnblocked(this.#rows.outputs);
    }
    this.#isPublishing = false;
  }

  /** Sends one row until it is answered. */
  async #deliver({ request, item, row }: PreparedRow): Promise<void> {
    for (;;) {
      const outcome = await this.#sink.send(request, this.#closing.signal);
      if (this.#closing.signal.aborted) return;
      // An answer for good ends the run of failures that the delays grow with.
      if (outcome.kind !== 'retry') this.#backoff.reset();
      if (outcome.kind === 'delivered') {
        this.#transientError = null;
        this.#sent.count(1, request.body?.length ?? 0);
        item.source.acks.ackRow(row);
        return;
      }
      if (outcome.kind === 'rejected') {
        this.#transientError = null;
        this.#reject({ request, item, row }, outcome.status);
        return;
      }
      await this.#waitAfter(outcome.reason, outcome.waitMs);
    }
  }

  /** Resolves rows that have no request for a reason that is none of them. */
  #failWhole({ acks }: RelayBatch, reason: string): void {
    this.#generalError(reason);
    if (this.#plan.generalError === 'IGNORE') acks.ack();
    else acks.nack(reason);
  }

  #generalError(reason: string): void {
    const { domain, log } = this.#context;
    if (this.#plan.generalError !== 'LOG') return;
    log.warn(`${this.#label} general error in domain '${domain}': ${reason}`);
  }

  async #waitAfter(reason: string, askedMs: number | null): Promise<void> {
    const { clock } = this.#context;
    if (this.#transientError !== reason) this.#generalError(reason);
    this.#transientError = reason;
    const delayMs = this.#backoff.next(askedMs);
    this.#waitUntilMs = clock.monotonicMs() + delayMs;
    await new Promise<void>((resolve) => {
      const timer = clock.after(delayMs, resolve);
      this.#endWait = () => {
        timer.cancel();
        resolve();
      };
    });
    this.#endWait = undefined;
    this.#waitUntilMs = null;
  }

  #reject(
    { item, row }: PreparedRow & { readonly request: PreparedRequest },
    status: number,
  ): void {
    const cause = {
      row,
      code: 'external',
      message: `${this.#label} request was refused with status ${status}`,
      operation: 'publish',
      operationIndex: null,
      paths: [],
    } as const;
    this.#rows.errors.take({ ...item, failures: [referenced(cause, item.snapshot)] });
  }
}
