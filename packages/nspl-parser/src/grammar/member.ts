import { RELOCATABLE_KINDS, type RuntimeMember } from '@nervix/model';
import type { GrammarHost, Rule } from './grammar-host.js';
import { modelReference } from './model-words.js';

/** `RELAY r`, `WINDOW PROCESSOR w`: a runtime unit with its kind. */
export function defineMember(g: GrammarHost): Rule<RuntimeMember> {
  const kinds = RELOCATABLE_KINDS.map((kind) => {
    const reference = modelReference(g, kind, { isPhrase: true });
    return { ALT: (): RuntimeMember => ({ kind, name: reference() }) };
  });
  return g.rule('member', () => {
    const first = g.position;
    return g.close(g.choose(0, kinds), first);
  });
}
