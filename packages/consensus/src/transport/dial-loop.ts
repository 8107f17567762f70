import { type Opened, type OpeningTarget, openConnection, RefusedError } from './opening.ts';
import type { TransportContext } from './transport-context.ts';

/**
 * Keeps trying to open one connection, with growing pauses that differ from node to node. It rests
 * while there is a connection and is started again when that is gone.
 */
export class DialLoop {
  readonly #context: TransportContext;
  readonly #target: OpeningTarget;
  readonly #opened: (opened: Opened) => void;
  #state: 'resting' | 'waiting' | 'opening' | 'stopped' = 'resting';
  #failures = 0;
  #attempts = 0;
  #timer: NodeJS.Timeout | undefined;
  #abort = new AbortController();

  constructor(context: TransportContext, target: OpeningTarget, opened: (opened: Opened) => void) {
    this.#context = context;
    this.#target = target;
    this.#opened = opened;
  }

  get target(): OpeningTarget {
    return this.#target;
  }

  /** Opens now if it rests, otherwise goes on as before. */
  start(): void {
    if (this.#state === 'resting') void this.#open();
  }

  /** Opens after a pause if it rests. */
  restart(): void {
    if (this.#state === 'resting') this.#wait();
  }

  /** Cuts a long pause short. */
  hurry(): void {
    if (this.#state !== 'waiting' || this.#failures === 0) return;
    clearTimeout(this.#timer);
    this.#failures = 0;
    this.#wait();
  }

  /** Gives up for good; an attempt under way has no effect. */
  stop(): void {
    this.#state = 'stopped';
    clearTimeout(this.#timer);
    this.#abort.abort();
  }

  #wait(): void {
    const { backoffMinMs, backoffMaxMs } = this.#context.timing;
    const pauseMs = Math.min(backoffMaxMs, backoffMinMs * 2 ** Math.min(this.#failures, 16));
    this.#state = 'waiting';
    this.#timer = setTimeout(() => void this.#open(), pauseMs * (0.5 + this.#context.random() / 2));
  }

  async #open(): Promise<void> {
    this.#state = 'opening';
    try {
      const attempt = this.#attempts;
      this.#attempts += 1;
      const opened = await openConnection(this.#context, this.#target, attempt, this.#abort.signal);
      if (this.#isStopped) {
        opened.connection.destroy('no longer wanted');
        return;
      }
      this.#state = 'resting';
      this.#failures = 0;
      this.#opened(opened);
    } catch (error) {
      if (this.#isStopped) return;
      this.#failures += 1;
      this.#report(error);
      this.#wait();
    }
  }

  get #isStopped(): boolean {
    return this.#state === 'stopped';
  }

  #report(error: unknown): void {
    const reason = refusalText(error);
    this.#context.count(reason === undefined ? 'connectFailed' : 'refused');
    if (reason === undefined) return;
    const { member, endpoint } = this.#target;
    const peer = error instanceof RefusedError ? error.peer : {};
    this.#context.receiver.refused({ ...member, endpoint, ...peer }, reason);
  }
}

/** What an operator should know of a failed attempt; `undefined` when nobody answered. */
export function refusalText(error: unknown): string | undefined {
  if (error instanceof RefusedError) return error.message;
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.message;
  const isTls = /^(ERR_(SSL|TLS|OSSL)|CERT|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|INVALID_(CA|PURPOSE))/;
  return isTls.test(code)
    ? `the TLS handshake failed (${code}); check the certificates`
    : undefined;
}
