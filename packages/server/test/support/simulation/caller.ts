import assert from 'node:assert/strict';
import type { Model, PlacementPolicy } from '@nervix/model';
import { printModel } from '@nervix/nspl-parser';
import type { PreviewIdentity, TransactionStatus } from '@nervix/protocol';
import type { CommandReply } from '../../../src/control-plane/control-plane.ts';
import type { ReplicatedState } from '../../../src/replicated-state/replicated-state.ts';
import type { WriteCommand } from '../../../src/replicated-state/write-command.ts';
import type { Asked, ControlNode } from '../control-node.ts';
import { judgeAdmission } from './admission-judgement.ts';
import { CERTS, type Entity, RELAYS } from './catalogue.ts';
import { exactly, learnChange } from './change-judgement.ts';
import { type Change, DomainModel, textOf } from './domain-model.ts';
import { firstChanges, nextChange } from './next-change.ts';
import { nextProbe, type Probe } from './probes.ts';
import { relocation } from './relocation.ts';
import type { SeededRandom } from './seeded-random.ts';
import { uploadWrite } from './uploaded-version.ts';

/** What a caller does with its domain. */
export interface CallerHabit {
  /** What the domain may hold. */
  readonly entities: readonly Entity[];
  /** Policies that it is given, the first at its creation. */
  readonly policies: readonly PlacementPolicy[];
  /** Whether versions of a resource are uploaded and mounted. */
  readonly isMounting?: boolean;
  /** How often something is asked that changes nothing; of every ten requests one or two. */
  readonly isCurious?: boolean;
  /** Nodes that parts are relocated onto; none where they stay where they are. */
  readonly nodes?: readonly string[];
}

/** Parts of the graph are bound to nothing, and may be anywhere. */
const LOOSE: CallerHabit = {
  entities: RELAYS,
  policies: ['NEUTRAL', 'PREFER COLOCATION', 'SUGGEST SEPARATION'],
};

/** A request and, once there is one, its answer. */
export interface Request {
  readonly query: string;
  readonly asked: Asked;
  readonly domain: string;
  readonly changes: readonly Change[];
  readonly kind:
    | ('change' | 'begin' | 'append' | 'commit' | 'revert' | 'script')
    /** Changes nothing, and has one right answer. */
    | 'probe'
    /** Is no statement: somebody writes as one of the node's own parts does. */
    | 'write'
    /** Gives back what a script left open. */
    | 'tidy'
    | 'move';
  /** Judges the answer where the kind alone does not say how. */
  readonly judge?: (answer: Answer) => void;
  /** What is still to be written, as the state stands; undefined where nothing is. */
  readonly write?: (state: ReplicatedState) => Partial<WriteCommand> | undefined;
}

/** Somebody who sends requests, one at a time, and knows from the answers what there is. */
export interface Actor {
  readonly domain: string;
  /** Sent, but not answered yet. */
  unanswered: Request | undefined;
  /** The transaction that it has open. */
  transaction: CallerTransaction | undefined;
  nextRequest(random: SeededRandom, nowMs: number): Request;
  learn(request: Request, answer: Answer): void;
  /** What is stored is what the answers say. */
  check(node: ControlNode): void;
}

export interface Acknowledged extends Request {
  readonly answer: Answer;
  readonly atMs: number;
}

/** The definite part of a reply, without its origin. */
export interface Answer {
  readonly isCompleted: boolean;
  readonly code: string | undefined;
  readonly message: string;
  readonly transaction: TransactionStatus | undefined;
  /** What the transaction would do now: told by an append, and by a COMMIT that is stale. */
  readonly preview: PreviewIdentity | undefined;
}

/** The transaction that a caller has open. */
export interface CallerTransaction {
  readonly id: string;
  readonly queued: Change[];
  /** The latest that it was told. */
  preview: PreviewIdentity | undefined;
  /** What the domain and its cluster were then; undefined when nobody can tell. */
  basis: string | undefined;
}

/**
 * One caller, who works on one domain, a request at a time, and knows from the answers what the
 * domain holds.
 */
export class Caller implements Actor {
  readonly domain: string;
  readonly model = new DomainModel();
  transaction: CallerTransaction | undefined;
  /** Sent, but not answered yet. */
  unanswered: Request | undefined;

  readonly #habit: CallerHabit;

  /** Transactions that scripts left open. */
  readonly #left: string[] = [];
  /** Whether a cordon may keep work from having an owner now. */
  readonly #mayWait: () => boolean;

  constructor(domain: string, habit: CallerHabit = LOOSE, mayWait = () => false) {
    this.domain = domain;
    this.#habit = habit;
    this.#mayWait = mayWait;
  }

  /** A random request that the caller might send now. */
  nextRequest(random: SeededRandom, nowMs: number): Request {
    const { domain, transaction, model } = this;
    const execution_reference = random.reference(nowMs);
    const request = (
      kind: Request['kind'],
      query: string,
      changes: readonly Change[] = [],
    ): Request => {
      const isInside = kind === 'append' || kind === 'commit' || kind === 'revert';
      const place = isInside ? { transaction: transaction?.id ?? '' } : { domain };
      return { kind, query, changes, domain, asked: { execution_reference, ...place } };
    };
    const beside = this.#besides(random, execution_reference);
    if (beside !== undefined) return beside;
    const scriptOf = (changes: readonly Change[]): Request => {
      const texts = changes.map((each) => textOf(each, domain));
      return request('script', `BEGIN; ${texts.join(' ')} COMMIT;`, changes);
    };
    if (model.exists && model.entities.length === 0 && random.chance(0.6)) {
      return scriptOf(firstChanges(random, model, this.#habit));
    }
    const change = nextChange(random, model, this.#habit);
    if (!isQueued(change)) return request('change', textOf(change, domain), [change]);
    if (transaction !== undefined && random.chance(0.8)) {
      if (random.chance(0.15)) return request('revert', 'REVERT;');
      if (random.chance(0.4)) {
        return request('commit', commitText(random, transaction), transaction.queued);
      }
      return request('append', textOf(change, domain), [change]);
    }
    if (transaction === undefined && random.chance(0.3)) return request('begin', 'BEGIN;');
    if (random.chance(0.2)) {
      const further = [0, 1].map(() => nextChange(random, model, this.#habit));
      return scriptOf([change, ...further].filter(isQueued));
    }
    return request('change', textOf(change, domain), [change]);
  }

  /** What is sent besides changes of the domain's definitions. */
  #besides(random: SeededRandom, execution_reference: string): Request | undefined {
    const { domain, model, transaction } = this;
    const [left] = this.#left;
    const base = { domain, changes: [] };
    if (left !== undefined && random.chance(0.5)) {
      const asked = { execution_reference, transaction: left };
      return { ...base, kind: 'tidy', query: 'REVERT;', asked };
    }
    const { isMounting = false, isCurious = false, nodes = [], entities } = this.#habit;
    if (isMounting && model.resources.has(CERTS) && random.chance(0.06)) {
      const next = model.resources.get(CERTS)?.next ?? 1;
      const isComplete = random.chance(0.8);
      const write = uploadWrite({ domain, resource: CERTS, version: next, isComplete });
      const judge = (): void => model.uploaded(CERTS, isComplete);
      return { ...base, kind: 'write', query: `version ${next}`, asked: {}, write, judge };
    }
    if (nodes.length > 0 && model.exists && random.chance(0.08)) {
      return { ...base, ...relocation(random, this, nodes, execution_reference), kind: 'move' };
    }
    if (!isCurious || !random.chance(0.15)) return undefined;
    const change = nextChange(random, model, this.#habit);
    const probe: Probe = nextProbe(random, { domain, model, entities, transaction }, change);
    const asked = { execution_reference, ...probe.asked };
    return { ...base, kind: 'probe', query: probe.query, asked, judge: probe.judge };
  }

  /** Brings the model to what an answer says, and judges the answer where the model can. */
  learn(request: Request, answer: Answer): void {
    const { model } = this;
    const { kind, changes, query } = request;
    switch (kind) {
      case 'change':
        this.#learnChange(changes[0] as Change, answer);
        this.#doubt(answer);
        break;
      case 'probe':
      case 'write':
        request.judge?.(answer);
        break;
      case 'move':
        request.judge?.(answer);
        // Plans depend on where the parts of the domain are.
        if (this.transaction !== undefined) this.transaction.basis = undefined;
        break;
      case 'tidy':
        assert.equal(answer.isCompleted, true, answer.message);
        this.#left.shift();
        break;
      case 'begin':
        assert.equal(answer.isCompleted, true, answer.message);
        this.transaction = {
          id: answer.transaction?.id ?? '',
          queued: [],
          preview: undefined,
          basis: this.model.digest,
        };
        break;
      case 'append':
        judgeAdmission(model, this.transaction?.queued ?? [], changes[0] as Change, {
          ...{ answer, domain: this.domain, mayWait: this.#mayWait() },
        });
        if (answer.isCompleted) {
          this.transaction?.queued.push(...changes);
          this.#told(answer);
        } else if (answer.transaction?.state !== 'Open') this.transaction = undefined;
        break;
      case 'revert':
        assert.match(answer.message, revertedText(this.transaction), query);
        this.transaction = undefined;
        break;
      case 'commit':
        this.#judgeFence(request, answer);
        if (answer.isCompleted || answer.transaction?.state === 'Failed') {
          learnCommit(model, changes, answer);
        }
        if (answer.transaction?.state !== 'Open') this.transaction = undefined;
        break;
      case 'script':
        assert.notEqual(answer.transaction, undefined, query);
        if (answer.transaction?.state !== 'Open') learnCommit(model, changes, answer);
        else this.#left.push(answer.transaction.id);
        this.#doubt(answer);
        break;
    }
  }

  #learnChange(change: Change, answer: Answer): void {
    const { model, domain } = this;
    const isKept = this.transaction !== undefined || this.#left.length > 0;
    if (change.op === 'drop domain' && model.permits(change) && isKept) {
      // CP-141: an open transaction keeps its domain.
      assert.equal(answer.code, 'IN_USE', answer.message);
      assert.match(answer.message, /has an open transaction/u);
      return;
    }
    learnChange(model, change, answer, { domain, mayWait: this.#mayWait() });
  }

  /**
   * Whether the domain is another one than what the transaction was previewed from, which a change
   * and its opposite do not make of it; undefined when nobody can tell.
   */
  get isDisturbed(): boolean | undefined {
    const basis = this.transaction?.basis;
    return basis === undefined ? undefined : basis !== this.model.digest;
  }

  /** What failed to become usable may have been taken back, and may have left its trace. */
  #doubt({ code }: Answer): void {
    const isDoubtful = code === 'ACTIVATION_FAILED';
    if (isDoubtful && this.transaction !== undefined) this.transaction.basis = undefined;
  }

  #told({ preview }: Answer): void {
    if (this.transaction === undefined) return;
    assert.notEqual(preview, undefined, 'an append tells its preview');
    this.transaction.preview = preview;
    this.transaction.basis = this.model.digest;
  }

  /** CP-61, CP-64, CP-65: a commit is stale exactly when what it was previewed from changed. */
  #judgeFence({ query }: Request, answer: Answer): void {
    const { transaction } = this;
    if (transaction?.preview === undefined) return;
    const { position } = transaction.preview;
    const isOutdated = (expectedPosition(query) ?? position) !== position;
    const isOver = answer.isCompleted || answer.transaction?.state === 'Failed';
    if (isOutdated) assert.equal(isOver, false, 'committed another position than was expected');
    if (answer.code === 'PREVIEW_STALE') {
      if (!isOutdated) assert.notEqual(this.isDisturbed, false, 'stale although nothing changed');
      this.#told(answer);
    } else if (isOver) {
      assert.notEqual(this.isDisturbed, true, 'committed although the domain changed');
    }
  }

  /** What runs on a node that holds the whole domain is what its model says. */
  checkRunning({ dataPlane }: ControlNode): void {
    const { domain, relays, unanswered } = this;
    if (unanswered !== undefined || !this.model.exists) return;
    if (relays !== undefined) assert.deepEqual(dataPlane.relaysOf(domain), relays);
    if (this.model.status === 'stopped') assert.equal(dataPlane.plans.has(domain), false);
  }

  /** Relays that have to run; undefined where nobody can tell, or none are to. */
  get relays(): readonly string[] | undefined {
    const { status, isBad, relays } = this.model;
    return status === 'running' && !isBad ? relays : undefined;
  }

  /** The state of the caller's domain is that of its model. */
  check(node: ControlNode): void {
    const { domain, model, unanswered } = this;
    if (unanswered !== undefined) return;
    const { state } = node;
    const record = state.domain(domain);
    assert.equal(record !== undefined, model.exists, domain);
    if (record === undefined) return;
    const { status, generation, placement } = record;
    if (model.isGenerationOpen) model.generation = generation;
    model.isGenerationOpen = false;
    const models = [...state.models(domain).values()];
    const entities = models.map(({ kind, name }) => `${kind} ${name}`).sort();
    assert.deepEqual(
      { status, generation, placement, entities },
      {
        ...{ status: model.status, generation: model.generation, placement: model.policy },
        entities: model.entities,
      },
      domain,
    );
    for (const each of models) checkParts(model, each);
    checkResources(model, node, domain);
    assert.deepEqual(heldByEnded(node, domain), [], 'CP-105: what has ended holds nothing');
    // PS-30: models and their schedule are written as one.
    const placed = state.schedule(domain).map(({ kind, name }) => `${kind} ${name}`);
    assert.deepEqual([...placed].sort(), model.executables, domain);
    assert.equal(node.context.locks.ownerOf(domain), undefined);
    assert.equal(state.lease(domain), undefined, 'CP-19: an outcome gives the lease back');
    // CP-105: no crash leaves a domain paused that nobody holds.
    assert.equal(record.pausedBy, undefined);
  }
}

/** What ALTER made of a model is in its canonical text. */
function checkParts(told: DomainModel, held: Model): void {
  const { shown, hidden } = told.shownBy(`${held.kind} ${held.name}`);
  const text = printModel(held, { withSecrets: true }).replaceAll(/\s+/gu, ' ');
  const missing = shown.filter((each) => !text.includes(each));
  const left = hidden.filter((each) => text.includes(each));
  assert.deepEqual({ missing, left }, { missing: [], left: [] }, text);
}

/** A COMMIT of whatever describes the transaction, or of what the caller was told. */
function commitText(random: SeededRandom, { preview }: CallerTransaction): string {
  if (preview === undefined || random.chance(0.5)) return 'COMMIT;';
  const { transaction_id: id, position, planning_basis: basis } = preview;
  // Sometimes of one that appends have outrun.
  const expected = random.chance(0.2) ? position - 1 : position;
  return `COMMIT EXPECT '${id}' POSITION ${expected} BASIS '${basis}';`;
}

/** The position that a COMMIT expects; undefined of one that expects nothing. */
function expectedPosition(query: string): number | undefined {
  const text = /POSITION (\d+)/u.exec(query)?.[1];
  return text === undefined ? undefined : Number(text);
}

/** The definite part of a reply; undefined when the outcome is unknown. */
export function answerOf(reply: CommandReply | undefined): Answer | undefined {
  if (reply === undefined) return undefined;
  if (reply.kind === 'failed') {
    const { code, message, transaction, current } = reply.error;
    assert.notEqual(code, 'INTERNAL', message);
    // A store that has failed takes no commands at all: that is no outcome of this one.
    if (code === 'STORAGE_FAILED') return undefined;
    return { isCompleted: false, code, message, transaction, preview: current };
  }
  const { disposition, message, transaction, transaction_admission: admission } = reply.outcome;
  if (disposition.t === 'OutcomeUnknown') return undefined;
  return { isCompleted: true, code: undefined, message, transaction, preview: admission?.preview };
}

/** Declared resources, their versions, of which only whole ones are bound (CP-124). */
function checkResources(model: DomainModel, { state }: ControlNode, domain: string): void {
  const declared = state.resources.declared(domain).map(({ name }) => name);
  assert.deepEqual([...declared].sort(), [...model.resources.keys()].sort(), domain);
  for (const [resource, { next, completed }] of model.resources) {
    const versions = state.resources.versions(domain, resource);
    const whole = versions.filter((each) => each.state === 'completed');
    assert.deepEqual(
      [versions.length + 1, whole.map(({ version }) => version)],
      [next, completed],
      resource,
    );
  }
}

/** What a transaction may hold: domains come and go by themselves. */
function isQueued({ op }: Change): boolean {
  return op !== 'create domain' && op !== 'drop domain';
}

function revertedText(transaction: CallerTransaction | undefined): RegExp {
  const { id = '', queued = [] } = transaction ?? {};
  return exactly(`transaction reverted: dropped ${queued.length} command(s); id '${id}'`);
}

function learnCommit(model: DomainModel, changes: readonly Change[], answer: Answer): void {
  const { applied_operations: applied = 0 } = answer.transaction ?? {};
  if (answer.isCompleted) assert.equal(applied, changes.length);
  else model.isDoubtful = true;
  for (const change of changes.slice(0, applied)) model.apply(change);
  // A start that did not come about may have counted.
  if (!answer.isCompleted && changes[applied]?.op === 'start') model.isGenerationOpen = true;
}

/** Pauses of ended transactions of a domain of which nobody knows that they are over. */
function heldByEnded({ state }: ControlNode, domain: string): readonly string[] {
  const ended = state
    .transactions()
    .filter((each) => each.domain === domain && each.state !== 'COMMITTING');
  return ended.flatMap(({ id, progress }) => {
    const attempts = progress?.steps.flatMap((step) => step.attempts) ?? [];
    const lasts = attempts.map(({ outcomes }) => outcomes.at(-1)?.kind ?? 'none');
    const open = lasts.filter((last) => last !== 'RELEASED' && last !== 'FAILED');
    return open.map((last) => `${id} ${last}`);
  });
}

/** Failures that say nothing of a request, so that it is made anew when it is repeated. */
const UNDECIDED: ReadonlySet<string> = new Set([
  'REQUEST_SHAPE',
  'INVALID_REQUEST',
  'PARSE_FAILED',
]);

/** Whether a request that is repeated gets the answer that it got, for as long as that is kept. */
export function isRecorded({ kind, query, asked }: Request, { code = '' }: Answer): boolean {
  const isRead = /^(?:SHOW|DESCRIBE|EXPLAIN|CREATE IF NOT EXISTS DOMAIN)/u.test(query);
  // Users of one name may be others by then.
  return kind !== 'write' && !isRead && asked.user === undefined && !UNDECIDED.has(code);
}
