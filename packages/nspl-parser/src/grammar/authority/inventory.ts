import { INVENTORY_SUBJECTS, type Statement } from '@nervix/model';
import { keyword, keywords } from '../../tokens.js';
import type { GrammarHost, Rule } from '../grammar-host.js';
import type { RecordFilterRules } from '../operation/record-filter.js';
import { takeOutputFormat } from '../output-format.js';

const K = keywords('AUDIT');

/** `AUDIT …` and the lists of SHOW that are one word. */
export function defineInventories(g: GrammarHost, filters: RecordFilterRules): Rule<Statement>[] {
  const subjects = INVENTORY_SUBJECTS.map((subject) => {
    const word = keyword(subject);
    return { ALT: () => g.takeAs(word, subject) };
  });
  const inventory = g.rule('showInventory', (): Statement => {
    const subject = g.choose<(typeof INVENTORY_SUBJECTS)[number]>(0, subjects);
    return { kind: 'show_inventory', subject, format: takeOutputFormat(g, 1) };
  });
  const audit = g.rule('showAudit', (): Statement => {
    g.take(K.AUDIT);
    const selection = g.call(filters.audit);
    return { kind: 'show_audit', ...selection, format: takeOutputFormat(g, 0) };
  });
  return [inventory, audit];
}
