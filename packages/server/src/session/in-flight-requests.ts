import { type ClientRequest, REQUESTS_IN_FLIGHT_MAX } from '@nervix/protocol/session';
import { WithdrawableCommand } from '../control-plane/command-admission.js';

/** A request that has not got its terminal reply. */
export interface InFlightRequest {
  readonly id: bigint;
  readonly request: ClientRequest;
  readonly admission: WithdrawableCommand;
  /** Its terminal reply is decided, though it may still wait for room. */
  isAnswered: boolean;
}

/**
 * The requests of a session that wait for their reply, of both service lanes. One that was withdrawn
 * has its reply, but keeps its place until nothing works on it any more.
 */
export class InFlightRequests {
  readonly #byId = new Map<bigint, InFlightRequest>();
  #unfinished = 0;

  get isEmpty(): boolean {
    return this.#byId.size === 0 && this.#unfinished === 0;
  }

  get isFull(): boolean {
    return this.#unfinished >= REQUESTS_IN_FLIGHT_MAX;
  }

  find(id: bigint): InFlightRequest | undefined {
    return this.#byId.get(id);
  }

  add(id: bigint, request: ClientRequest): InFlightRequest {
    const entry = { id, request, admission: new WithdrawableCommand(), isAnswered: false };
    this.#byId.set(id, entry);
    this.#unfinished += 1;
    return entry;
  }

  /** The terminal reply is out: its id is that of no request in flight any more. */
  answered({ id }: InFlightRequest): void {
    this.#byId.delete(id);
  }

  /** Nothing works on the request any more. */
  finished(): void {
    this.#unfinished -= 1;
  }

  /** Withdraws whatever has had no effect yet. */
  withdrawAll(): void {
    for (const { admission } of this.#byId.values()) admission.withdraw();
  }
}
