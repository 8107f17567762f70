import assert from 'node:assert/strict';
import type { WasmProcessorModel } from '@nervix/model';
import type { Effects } from '../../../../src/control-plane/execution/effects.ts';
import { failed } from '../../../../src/control-plane/outcome.ts';
import type { ReplicatedState } from '../../../../src/replicated-state/replicated-state.ts';
import type { WriteCommand } from '../../../../src/replicated-state/write-command.ts';
import type { ControlNode } from '../../control-node.ts';
import type { Actor, Answer, CallerTransaction, Request } from '../caller.ts';
import { SIMULATED } from '../change-judgement.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { LogProcess } from './simulated-log.ts';

const DOMAIN = 'guests';
const GUEST = 'guest';
const RESET = `RESET WASM PROCESSOR ${GUEST} STATE IN DOMAIN ${DOMAIN} FOR UNBRANCHED;`;

const MODEL: WasmProcessorModel = {
  ...{ kind: 'wasm_processor', name: GUEST, resource: { resource: 'modules', version: '1' } },
  ...{ file: 'guest.wasm', acknowledgement: 'ATTACHED', filter: null, dependencies: [] },
  inputs: { relays: [{ relay: 'r', where: null }], collect: null },
  branching: { kind: 'unbranched' },
  ...{ routes: [], maxFuel: '1000', maxMemory: '65536' },
  ...{ onRejectedState: 'PRESERVE', globalError: 'LOG' },
};

/** Generation of the guest's state as it is published. */
function publishedIn(state: ReplicatedState): number {
  const entry = state.schedule(DOMAIN).find(({ name }) => name === GUEST);
  return entry?.guestGenerations?.common ?? 1;
}

/** Puts the guest there, which no statement of this release can define. */
function planted(state: ReplicatedState): Partial<WriteCommand> | undefined {
  const record = state.domain(DOMAIN);
  if (record === undefined || state.models(DOMAIN).size > 2) return undefined;
  const key = `domain/${DOMAIN}`;
  const nodes = state.schedule(DOMAIN)[0]?.nodes ?? ['n1'];
  return {
    fences: [{ key, revision: state.revisionOf(key) }],
    put: [
      { kind: 'model', domain: DOMAIN, model: MODEL },
      {
        kind: 'assignment',
        domain: DOMAIN,
        entry: { kind: 'wasm_processor', name: GUEST, nodes: [...nodes] },
      },
      record,
    ],
  };
}

/** What the guests of all nodes do when they are asked, and whether they may be asked. */
export class SimulatedGuests {
  readonly #random: SeededRandom;
  readonly #isCalm: () => boolean;
  readonly violations: string[] = [];
  /** Generation of the state that the guest has; it begins with the first. */
  generation = 1;
  resets = 0;
  /** Generations that moves began. */
  moves = 0;
  unusable = 0;
  /** Processes that hold the inputs of the guest. */
  readonly held = new Set<LogProcess>();
  #index = 0;
  #published = 1;

  constructor(random: SeededRandom, isCalm: () => boolean) {
    this.#random = random;
    this.#isCalm = isCalm;
  }

  /** Lets the effects of a node reach the guests. */
  join(process: LogProcess, effects: Effects, wait: (delayMs: number) => Promise<void>): void {
    const release = effects.release.bind(effects);
    effects.release = async (domain) => {
      if (domain === DOMAIN) this.#letGo(process);
      await release(domain);
    };
    effects.prepareReset = async ({ domain, processor }) => {
      await wait(this.#random.below(80));
      if (this.#happens(0.1)) {
        return failed(
          'QUIESCE_FAILED',
          `timed out draining '${domain}/${processor}': ${SIMULATED}`,
        );
      }
      this.held.add(process);
      return undefined;
    };
    effects.resetGuests = async ({ generation }) => {
      await wait(this.#random.below(80));
      this.#checkAsked(process, generation);
      if (this.#happens(0.15)) {
        this.unusable += 1;
        return `no guest answers: ${SIMULATED}`;
      }
      if (generation > this.generation) this.resets += 1;
      this.generation = Math.max(generation, this.generation);
      this.#letGo(process);
      return undefined;
    };
  }

  /** What a leader lets go is open, whoever closed it; what others closed ends with them. */
  #letGo(process: LogProcess): void {
    if (process.isAdmitted && !process.isDead) this.held.clear();
    else this.held.delete(process);
  }

  /** PS-33: a guest that is moved begins anew where it comes to, which no reset has asked for. */
  published(index: number, { put, decision }: WriteCommand): void {
    if (index <= this.#index) return;
    this.#index = index;
    const moved = put.find((each) => each.kind === 'assignment' && each.entry.name === GUEST);
    if (moved?.kind !== 'assignment') return;
    const former = this.#published;
    this.#published = moved.entry.guestGenerations?.common ?? 1;
    if (decision === undefined) return;
    this.moves += this.#published - former;
    this.generation = this.#published;
  }

  leave(process: LogProcess): void {
    this.held.delete(process);
  }

  #happens(probability: number): boolean {
    return !this.#isCalm() && this.#random.chance(probability);
  }

  /** CP-112: guests begin anew with what is published, one generation behind the other. */
  #checkAsked({ state, isAdmitted, isDead }: LogProcess, generation: number): void {
    // Whoever was deposed or died decides nothing any more, but may still be at it.
    if (!isAdmitted || isDead) return;
    const published = publishedIn(state);
    if (generation !== published) {
      this.violations.push(`CP-112: generation ${generation} is asked for, not ${published}`);
    }
    const isNext = generation === this.generation || generation === this.generation + 1;
    if (!isNext) this.violations.push(`CP-112: ${generation} follows ${this.generation}`);
  }
}

/** Who resets the state of a guest, by itself and in transactions. */
export class GuestKeeper implements Actor {
  readonly domain: string = DOMAIN;
  readonly transaction: CallerTransaction | undefined = undefined;
  unanswered: Request | undefined;
  readonly #guests: SimulatedGuests;
  readonly #steps = [
    `CREATE DOMAIN ${DOMAIN};`,
    'CREATE SCHEMA s (id I64);',
    'CREATE RELAY r SCHEMA s UNBRANCHED;',
    'START;',
  ];
  #isPlanted = false;
  #generation = 1;

  constructor(guests: SimulatedGuests) {
    this.#guests = guests;
  }

  nextRequest(random: SeededRandom, nowMs: number): Request {
    const asked = { execution_reference: random.reference(nowMs), domain: DOMAIN };
    const request = (query: string, judge: (answer: Answer) => void): Request => {
      return { kind: 'probe', domain: DOMAIN, changes: [], query, asked, judge };
    };
    const [step] = this.#steps;
    if (step !== undefined) return request(step, (answer) => this.#learnStep(answer));
    if (!this.#isPlanted) {
      const judge = (): void => {
        this.#isPlanted = true;
      };
      return { ...request('the guest', judge), kind: 'write', write: planted };
    }
    const dice = random.below(10);
    if (dice === 0) {
      const query = RESET.replace(GUEST, 'absent');
      return request(query, judgeRefusal('does not exist in domain'));
    }
    if (dice === 1) {
      const query = RESET.replace('UNBRANCHED', 'ALL BRANCHES');
      return request(query, judgeRefusal('is unbranched'));
    }
    if (dice < 6) return request(RESET, (answer) => this.#learnReset(answer));
    const resets = RESET.repeat(1 + random.below(2));
    return request(`BEGIN; ${resets} COMMIT;`, (answer) => this.#learnCommit(answer));
  }

  /** A start may fail for what befalls data planes; it is sent again. */
  #learnStep({ isCompleted, message }: Answer): void {
    if (isCompleted) this.#steps.shift();
    else assert(message.includes(SIMULATED), message);
  }

  #learnReset({ isCompleted, code, message }: Answer): void {
    if (isCompleted) {
      assert.equal(message, 'quiesce level: ENTITY_PAUSE; planned relocations: 0');
      this.#generation += 1;
    } else {
      assert(isPassing(code, message), `${code} ${message}`);
    }
  }

  #learnCommit({ isCompleted, code, message, transaction }: Answer): void {
    if (isCompleted) assert.match(message, /quiesce level: ENTITY_PAUSE/u);
    else assert(isPassing(code, message), `${code} ${message}`);
    this.#generation += transaction?.applied_operations ?? 0;
  }

  learn({ judge }: Request, answer: Answer): void {
    judge?.(answer);
  }

  check({ state }: ControlNode): void {
    if (this.unanswered !== undefined || !this.#isPlanted) return;
    const expected = this.#generation + this.#guests.moves;
    assert.equal(publishedIn(state), expected, 'CP-112: a reset is one generation');
    assert.equal(this.#guests.generation, expected, 'CP-112: guests are reset');
    assert.equal(state.lease(DOMAIN), undefined, 'CP-19: an outcome gives the lease back');
    assert.deepEqual(this.#guests.violations, []);
  }
}

/** What may keep a reset from being made, without a trace. */
function isPassing(code: string | undefined, message: string): boolean {
  const codes = ['QUIESCE_FAILED', 'INPUTS_CHANGED', 'PREVIEW_STALE'];
  return codes.includes(code ?? '') || message.includes(SIMULATED);
}

function judgeRefusal(told: string): (answer: Answer) => void {
  return ({ isCompleted, message }) => {
    assert.equal(isCompleted, false, message);
    assert(message.includes(told), message);
  };
}
