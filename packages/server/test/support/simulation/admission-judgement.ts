import assert from 'node:assert/strict';
import type { Answer } from './caller.ts';
import { bindingText, rebindText, refusalText, type Surroundings } from './change-judgement.ts';
import { type Change, type DomainModel, textOf } from './domain-model.ts';

/** An answer to an append, and where it was given. */
export interface JudgedAdmission extends Surroundings {
  readonly answer: Answer;
}

/**
 * CP-55…58: what a transaction takes and refuses, with its words, wherever everything that it holds
 * already would go through.
 */
export function judgeAdmission(
  model: DomainModel,
  queued: readonly Change[],
  change: Change,
  { answer, domain, mayWait }: JudgedAdmission,
): void {
  const { isCompleted, code, message } = answer;
  const next = model.copy();
  for (const each of queued) {
    // Of what is incomplete or was overtaken only the planner knows what may follow.
    if (!next.permits(each)) return;
    next.apply(each);
  }
  const text = textOf(change, domain);
  if (next.permits(change)) {
    if (!isCompleted && mayWait) return;
    assert.equal(isCompleted, true, `${text} is not taken: ${code} ${message}`);
    const isThere =
      (change.op === 'create' && next.holds(change.entity)) ||
      (change.op === 'declare' && next.resources.has(change.resource));
    if (change.op === 'bind') {
      const bound = bindingText(next, change, 'provisionally ');
      assert.match(message, /^quiesce level: [A-Z_]+/u);
      assert.equal(message.replace(/^quiesce level: [A-Z_]+/u, ''), bound, text);
    } else if (change.op === 'rebind')
      assert.match(message, rebindText(next, change, 'provisionally '));
    else assert.match(message, isThere ? /already exists; quiesce level: / : /^quiesce level: /u);
    return;
  }
  if (isCompleted) {
    // What is missing may still come, as long as the run goes on.
    const mayCome = change.op === 'create' || change.op === 'alter' || change.op === 'drop';
    assert(mayCome, `${text} is taken: ${message}`);
    const isLocal = change.op === 'create' && next.holds(change.entity);
    assert(!isLocal, `${text} is taken twice: ${message}`);
    return;
  }
  assert.match(message, /^transaction statement failed preflight/u, text);
  const told = refusalText(next, change, domain);
  if (told !== undefined)
    assert.match(
      message.replaceAll('^', ''),
      new RegExp(told.source.replace(/^\^/u, ''), 'u'),
      text,
    );
}
