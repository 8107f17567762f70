import {
  assert,
  type Expression,
  type FunctionCall,
  findFunction,
  type TypedExpression,
} from '@nervix/model';
import { checkAggregate, isAggregate } from './aggregates.js';
import { type CheckedValue, type CheckResult, isUntyped, placementDefect } from './checked.js';
import { checkCase } from './conditional.js';
import { engineLack } from './engine-support.js';
import type { ExpressionFault, ExpressionFaults } from './expression-fault.js';
import { faultHint } from './fault-hint.js';
import { partsOf, typeNode } from './node-typing.js';
import type { ExpressionScope } from './scope.js';
import { AGGREGATE_ARGUMENT } from './scope-policy.js';

/**
 * Deepest nesting. It is counted in tree edges that do not continue a flat chain; one bracket of
 * the text is at most eight of them, one per level of operators, so that texts within the
 * language's limit of 256 brackets always pass.
 */
export const NESTING_MAX: number = 256 * 8;

export type ExpressionOutcome =
  | {
      readonly kind: 'ok';
      readonly value: CheckedValue;
      /** Sound parts that the engine of this release cannot run. */
      readonly unsupported: readonly ExpressionFault[];
    }
  | { readonly kind: 'refused'; readonly faults: ExpressionFaults };

/** Stands for the value of a node with a fault, about which nothing more is said. */
const FAULTY: unique symbol = Symbol('faulty');
type Part = CheckedValue | typeof FAULTY;

/** A node whose parts are being typed, left to right. */
interface Frame {
  readonly node: Expression;
  readonly scope: ExpressionScope;
  readonly depth: number;
  readonly parts: readonly Expression[];
  readonly partScope: ExpressionScope;
  readonly values: Part[];
}

/**
 * Types an expression bottom-up. It keeps its own stack: operator chains may be longer than a call
 * stack is deep. A part with a fault does not hide those of its neighbours; what it is inside of is
 * not judged.
 *
 * @param reads receives the path of every field read, such as `input.delay`
 */
export function checkExpression(
  root: Expression,
  scope: ExpressionScope,
  reads: Set<string>,
): ExpressionOutcome {
  const walk = new ExpressionWalk(reads);
  const value = walk.type(root, scope);
  const [first, ...others] = walk.faults;
  if (first !== undefined) return { kind: 'refused', faults: [first, ...others] };
  assert(value !== FAULTY, 'an expression without faults has a value');
  return { kind: 'ok', value, unsupported: walk.unsupported };
}

class ExpressionWalk {
  readonly faults: ExpressionFault[] = [];
  readonly unsupported: ExpressionFault[] = [];
  readonly #reads: Set<string>;

  constructor(reads: Set<string>) {
    this.#reads = reads;
  }

  type(root: Expression, scope: ExpressionScope): Part {
    const opened = this.#open(root, scope, 0);
    if (opened === FAULTY) return FAULTY;
    const stack = [opened];
    let result: Part = FAULTY;
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const part = top.parts[top.values.length];
      if (part === undefined) {
        stack.pop();
        result = this.#close(top);
        stack.at(-1)?.values.push(result);
        continue;
      }
      const frame = this.#open(part, top.partScope, top.depth + (continuesChain(top) ? 0 : 1));
      if (frame === FAULTY) top.values.push(FAULTY);
      else stack.push(frame);
    }
    return result;
  }

  #open(node: Expression, scope: ExpressionScope, depth: number): Frame | typeof FAULTY {
    if (depth > NESTING_MAX) return this.#fault('expression nesting exceeds 256 levels', node);
    const isCalledAggregate =
      node.kind === 'call' && scope.policy.aggregates !== 'none' && isAggregate(node.name);
    if (isCalledAggregate && scope.policy.aggregates === 'arguments') {
      const reason = 'aggregate functions must not be nested inside aggregate arguments';
      return this.#fault(reason, node);
    }
    const partScope = isCalledAggregate ? { ...scope, policy: AGGREGATE_ARGUMENT } : scope;
    return { node, scope, depth, parts: partsOf(node), partScope, values: [] };
  }

  #close(frame: Frame): Part {
    const { node, scope } = frame;
    const values = frame.values.filter((value) => value !== FAULTY);
    if (values.length < frame.values.length) return FAULTY;
    if (node.kind === 'null') return { kind: 'null' };
    if (isEmptyVec(node)) return { kind: 'empty_vec' };
    const result =
      node.kind === 'case' ? checkCase(node, values) : this.#combine(node, values, frame);
    if (result === FAULTY) return FAULTY;
    if (typeof result === 'string') return this.#fault(result, node, faultHint(node, scope));
    this.#note(result, node, scope);
    return located(result, frame);
  }

  #combine(
    node: Exclude<Expression, { kind: 'null' | 'case' }>,
    values: readonly CheckedValue[],
    { scope, parts }: Frame,
  ): CheckResult | typeof FAULTY {
    const typed: TypedExpression[] = [];
    for (const [index, value] of values.entries()) {
      // The value without a type is at fault, not the node around it.
      if (isUntyped(value)) this.#fault(placementDefect(value), parts[index] ?? node);
      else typed.push(value);
    }
    if (typed.length < values.length) return FAULTY;
    const isCalledAggregate =
      node.kind === 'call' && scope.policy.aggregates === 'calls' && isAggregate(node.name);
    return isCalledAggregate ? this.#aggregate(node, typed, scope) : typeNode(node, typed, scope);
  }

  #aggregate(
    node: FunctionCall,
    values: readonly TypedExpression[],
    scope: ExpressionScope,
  ): CheckResult {
    const aggregate = checkAggregate(node, values);
    if (typeof aggregate === 'string') return aggregate;
    const { type, optional, sensitive } = aggregate;
    const index = scope.aggregates?.length ?? 0;
    const span = scope.surroundings.spans.spanOf(node);
    scope.aggregates?.push(span === undefined ? aggregate : { ...aggregate, span });
    return { kind: 'aggregate', index, type, optional, sensitive };
  }

  #note(value: TypedExpression, subject: Expression, scope: ExpressionScope): void {
    if (value.kind === 'column') this.#reads.add(`${value.row}.${value.field}`);
    if (value.kind === 'state') this.#reads.add(`relay_state.${value.relay}.${value.field}`);
    const lack = engineLack(value, scope.surroundings);
    if (lack !== undefined) this.unsupported.push({ reason: lack, subject });
  }

  #fault(reason: string, subject: Expression, hint?: string): typeof FAULTY {
    this.faults.push(hint === undefined ? { reason, subject } : { reason, subject, hint });
    return FAULTY;
  }
}

function isEmptyVec(node: Expression): boolean {
  if (node.kind !== 'call' || node.arguments.length > 0) return false;
  return findFunction(node.name)?.name === 'vec';
}

/** True when the next part is the left end of a chain such as `a + b + c` or `x AS T AS U`. */
function continuesChain({ node, values }: Frame): boolean {
  if (values.length > 0) return false;
  switch (node.kind) {
    case 'binary':
    case 'cast':
    case 'distinct':
    case 'in':
    case 'between':
      return true;
    default:
      return false;
  }
}

/** Adds the node's range in the text, unless the value is that of an inner node. */
function located(value: TypedExpression, { node, scope }: Frame): TypedExpression {
  if (value.span !== undefined) return value;
  const span = scope.surroundings.spans.spanOf(node);
  return span === undefined ? value : { ...value, span };
}
