import { assert } from '@nervix/model';

/** How far a hold of a relay has come. */
type Phase = 'open' | 'closed' | 'frozen';

/**
 * Who may publish to a relay. Closing it keeps out every publisher but the entities of the hold,
 * which have to empty into it; what passed before is in flight, and the hold waits for it. Freezing
 * it keeps everybody out, because the consumers are about to change.
 */
export class DispatchGate {
  #phase: Phase = 'open';
  #entities: ReadonlySet<string> = new Set();
  #inFlight = 0;
  #inFlightInside = 0;

  /** Whether no publisher that passed is still under way; those of the hold count apart. */
  get isQuiet(): boolean {
    return this.#inFlight === 0;
  }

  /** Publications of the hold's own entities that are under way. */
  get inFlightInside(): number {
    return this.#inFlightInside;
  }

  get isFrozen(): boolean {
    return this.#phase === 'frozen';
  }

  /** @param entities publishers that pass until the gate is frozen, as `KIND name` */
  close(entities: ReadonlySet<string>): void {
    assert(this.#phase === 'open', 'one hold at a time closes a gate');
    this.#phase = 'closed';
    this.#entities = entities;
  }

  freeze(): void {
    assert(this.#phase === 'closed', 'a gate is closed before it is frozen');
    this.#phase = 'frozen';
  }

  open(): void {
    this.#phase = 'open';
    this.#entities = new Set();
  }

  /**
   * A publisher asks to pass. It counts itself first and looks then, so that a hold that sees nobody
   * under way has missed none.
   *
   * @param publisher `KIND name` of the node, if a node publishes
   * @returns the pass that {@link DispatchGate.leave} takes back, or undefined: it has to wait
   */
  enter(publisher: string | undefined): DispatchPass | undefined {
    this.#inFlight += 1;
    if (this.#phase === 'open') return 'outside';
    this.#inFlight -= 1;
    if (this.#phase === 'frozen' || publisher === undefined) return undefined;
    if (!this.#entities.has(publisher)) return undefined;
    this.#inFlightInside += 1;
    return 'inside';
  }

  /** The publication is in the buffer, or given up. */
  leave(pass: DispatchPass): void {
    if (pass === 'outside') this.#inFlight -= 1;
    else this.#inFlightInside -= 1;
  }
}

/** Which count a publication under way is in. */
export type DispatchPass = 'outside' | 'inside';
