import type { SourceFault } from './source-hooks.ts';

/** A fault that runs are to find. */
export interface SeededFault extends SourceFault {
  /** Whether it shows so seldom that only the long mode looks for it. */
  readonly isLong?: boolean;
}

/** Rules of the control plane, each broken by an exact change of its text. */
export const SEEDED_FAULTS: readonly SeededFault[] = [
  {
    rule: 'CP-106: a request is recorded before it leaves',
    file: 'control-plane/execution/step-execution.ts',
    from: 'if (!isResumed && !(await this.#writeRequest(step, current, attempts))) return undefined;',
    to: '',
  },
  {
    rule: 'CP-105: what is over gives the pause of its domain back',
    file: 'control-plane/execution/step-execution.ts',
    from: 'await this.#write(applied, { put: this.#resumedDomain() });',
    to: 'await this.#write(applied);',
  },
  {
    rule: 'CP-98, CP-109: a recorded effect is completed, and not made again',
    file: 'control-plane/execution/step-execution.ts',
    from: "if (step.outcome === 'APPLYING') return this.#complete(step);",
    to: '',
  },
  {
    rule: 'CP-99: an effect is written while its nodes are held',
    file: 'control-plane/execution/step-execution.ts',
    from: 'const next: CommitStep = { ...step, outcome, hasEffect: true };',
    to: `const next: CommitStep = { ...step, outcome, hasEffect: true };
    await this.#context.effects.release(this.#journal.domain);`,
  },
  {
    rule: 'CP-106: an effect is written while a tenth of the lease of its gates is left',
    file: 'control-plane/execution/step-execution.ts',
    from: 'if (this.#lease === undefined || this.#lease.hasMargin) return undefined;',
    to: 'if (this.#lease === undefined || this.#lease.shortage !== "") return undefined;',
  },
  {
    rule: 'CP-106: a lease is counted from before the first request',
    file: 'control-plane/execution/step-execution.ts',
    from: 'const refusal = await this.#hold(graph, reset);',
    to: `const refusal = await this.#hold(graph, reset);
    if (isOfGates) this.#lease = new GateLease(this.#context.gates, nodes ?? []);`,
  },
  {
    rule: 'CP-144: the outcome of a command is recorded with its end',
    file: 'control-plane/commands/command-journal.ts',
    from: 'const result = await this.#write(null, { ...command, reference });',
    to: 'const result = await this.#write(null, reference.id === "" ? { reference } : command);',
  },
  {
    rule: 'CP-19: the end of an owner gives its lease back',
    file: 'control-plane/execution/domain-lease.ts',
    from: 'if (!isHolding) return { fences, put: [], remove: [key] };',
    to: 'if (!isHolding) return { fences, put: [], remove: [] };',
  },
  {
    rule: 'CP-106: gates of a coordinator that is gone are uncertain',
    file: 'control-plane/execution/step-progress.ts',
    from: 'return withOutcome(step, LOST, isEntityRequest);',
    to: 'return withOutcome(step, LOST, (each) => isEntityRequest(each) && each.level === "DOMAIN_PAUSE");',
  },
  {
    rule: 'CP-61: a commit is fenced by its preview',
    file: 'control-plane/transactions/commit-admission.ts',
    from: 'if (!isSamePreview(expected, current)) return',
    to: 'if (expected.position < 0) return',
  },
  {
    rule: 'CP-105: what did not drain is not replaced',
    file: 'control-plane/activation/activation.ts',
    from: 'return preparationRefusal(error);',
    to: 'return error === undefined ? preparationRefusal(error) : undefined;',
  },
  {
    rule: 'CP-9: nothing starts before everyone is prepared',
    file: 'control-plane/activation/node-applier.ts',
    from: '(revision) => hasReached(progressOf(this.#startable, domain), revision),',
    to: '(revision) => revision > 0 || hasReached(progressOf(this.#startable, domain), revision),',
  },
  {
    rule: 'CP-100: an effect is written for what it was planned from',
    file: 'control-plane/planning/capture.ts',
    from: 'if (changed === undefined) return undefined;',
    to: 'if (changed !== null) return undefined;',
    isLong: true,
  },
  {
    rule: 'CP-141: a domain goes with all that it held',
    file: 'control-plane/commands/drop-domain.ts',
    from: '...[...state.models(domain).values()].map(({ kind, name }) =>',
    to: '...[...state.models(domain).values()].slice(1).map(({ kind, name }) =>',
  },
  {
    rule: 'CP-141: an open transaction keeps its domain',
    file: 'control-plane/commands/drop-domain.ts',
    from: 'if (live !== undefined) {',
    to: "if (live?.id === '') {",
  },
  {
    rule: 'CP-124: LATEST is a version that everybody has',
    file: 'resources/resource-catalog.ts',
    from: ".filter(({ state }) => state === 'completed')",
    to: ".filter(({ state }) => state !== 'published')",
  },
  {
    rule: 'CP-56: what a preview resolves is told as provisional',
    file: 'control-plane/planning/version-texts.ts',
    from: "const provisionally = isProvisional ? 'provisionally ' : '';",
    to: "const provisionally = isProvisional ? '' : '';",
  },
  {
    rule: 'CP-112: a reset is over when the guests are usable',
    file: 'control-plane/execution/step-execution.ts',
    from: 'if (cause !== undefined) throw new UnusableGuestsError(reset, cause);',
    to: "if (cause === '') throw new UnusableGuestsError(reset, cause);",
  },
  {
    rule: 'CP-27: a user is created once',
    file: 'control-plane/commands/users/create-user.ts',
    from: "return statement.ifNotExists ? completed(message, true) : failed('ALREADY_EXISTS', message);",
    to: 'return completed(message, true);',
  },
  {
    rule: 'CS-171: a drain leaves its cordon',
    file: 'control-plane/commands/node-administration.ts',
    from: "await context.log.write({ put: [{ kind: 'cordon', node }] });",
    to: '',
  },
  {
    rule: 'PS-35: a cordoned node is given nothing',
    file: 'control-plane/scheduling/cluster-nodes.ts',
    from: 'isCordoned: state.isCordoned(member.name)',
    to: 'isCordoned: false',
  },
  {
    rule: "CP-46: a transaction is its owner's",
    file: 'control-plane/command-executor.ts',
    from: 'if (isSameUser(record.owner, owner)) return undefined;',
    to: "if (isSameUser(record.owner, owner) || record.owner.user !== '') return undefined;",
  },
  {
    rule: 'CP-26: a policy that is set already is told so',
    file: 'control-plane/commands/change-text.ts',
    from: 'const what = hasEffect\n',
    to: 'const what = hasEffect || policy !== undefined\n',
  },
];
