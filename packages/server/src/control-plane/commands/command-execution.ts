import { NO_SPANS } from '@nervix/model';
import type { ParsedStatement } from '@nervix/nspl-parser';
import type { PlannedStep } from '@nervix/planner';
import type { ControlContext } from '../control-context.js';
import { StepExecution } from '../execution/step-execution.js';
import { failed, type Outcome } from '../outcome.js';
import { capture } from '../planning/capture.js';
import { planStatements } from '../planning/plan-statements.js';
import { refusalOutcome } from '../refusal-outcome.js';
import { oversizedStep } from '../transactions/step-size.js';
import { type CommandBinding, CommandJournal, type StoredStatement } from './command-journal.js';
import { freezeCommand } from './frozen-command.js';

/**
 * Runs a statement that changes a domain by itself as a transaction of one statement: planned from
 * one capture, frozen, carried out from what is recorded. What it was planned from may change before
 * its effect is written: then the attempt is spent, and the next one is planned.
 */
export class CommandExecution {
  readonly #context: ControlContext;
  readonly #journal: CommandJournal;
  readonly #stored: StoredStatement | undefined;
  readonly #parsed: ParsedStatement | undefined;

  /**
   * @param stored the statement; undefined where the store has lost it
   * @param parsed the same as it was submitted; absent where another process took it
   */
  constructor(
    context: ControlContext,
    binding: CommandBinding,
    stored: StoredStatement | undefined,
    parsed?: ParsedStatement,
  ) {
    this.#context = context;
    this.#journal = new CommandJournal(context, binding, stored);
    this.#stored = stored;
    this.#parsed = parsed;
  }

  /** Whether the command is stored, so that somebody goes on with it. */
  get isRecorded(): boolean {
    return this.#journal.isRecorded;
  }

  /** Runs to the outcome, and records it unless nothing of the command is stored. */
  async run(): Promise<Outcome> {
    const journal = this.#journal;
    while (journal.outcome === undefined) {
      if (!journal.isUnderWay) await this.#attempt();
      if (journal.isUnderWay && this.#stored === undefined) await this.#giveUp();
      if (journal.isUnderWay) await this.#carryOut();
    }
    return journal.outcome;
  }

  async #carryOut(): Promise<void> {
    const { frozen, id } = this.#journal;
    if (frozen === undefined) return this.#giveUp();
    await new StepExecution(this.#context, this.#journal, [frozen.step]).run();
    const { outcome } = this.#journal;
    if (outcome?.kind !== 'completed') return;
    const facts = { domain: this.#journal.domain, execution_reference: id };
    this.#context.logger.info(WHAT_CHANGED[frozen.step.decision.kind], facts);
  }

  /** A store that lost a part of a command must not let it hold its domain for ever. */
  async #giveUp(): Promise<void> {
    const { id, domain } = this.#journal;
    const message = `command '${id}' retains no readable plan of its execution`;
    await this.#journal.decide(failed('INTERNAL', message));
    await this.#context.effects.release(domain);
  }

  /** Plans the next attempt; a statement that cannot be planned has its outcome. */
  async #attempt(): Promise<void> {
    const stored = this.#stored;
    if (stored === undefined) return this.#giveUp();
    const { domain: name } = this.#journal;
    const { statement } = stored;
    const refusal = this.#journal.refusal();
    if (refusal !== undefined) {
      return this.#journal.decide(failed(refusal.code, refusal.message));
    }
    const domain = this.#context.state.domain(name);
    if (domain === undefined) {
      return this.#journal.decide(failed('NOT_FOUND', `domain '${name}' does not exist`));
    }
    const base = capture(this.#context, domain);
    const plan = await planStatements(this.#context, base, [statement]);
    if (plan.kind === 'refused') {
      return this.#journal.decide(
        refusalOutcome(plan.refusals, this.#parsed ?? { ...stored, spans: NO_SPANS }),
      );
    }
    const oversized = oversizedStep(plan);
    if (oversized !== undefined) return this.#journal.decide(oversized);
    const frozen = freezeCommand(plan, statement, this.#context.nowMs());
    if (frozen !== undefined) return this.#journal.begin(plan, frozen);
    return this.#journal.decide(failed('INTERNAL', 'a statement was planned without a step'));
  }
}

const WHAT_CHANGED: Readonly<Record<PlannedStep['decision']['kind'], string>> = {
  models: 'models changed',
  alter_domain: 'domain altered',
  start_domain: 'domain started',
  stop_domain: 'domain stopped',
  create_resource: 'resource created',
  reset_wasm_state: 'guest state reset',
};
