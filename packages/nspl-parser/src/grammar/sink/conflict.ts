import type { ConflictAction, ValueMapping } from '@nervix/model';
import { cutText } from '../../diagnostics.js';
import { keywords, LeftParen, RightParen } from '../../tokens.js';
import { type GrammarHost, phraseOf, type Rule } from '../grammar-host.js';
import { COLUMN } from './sink-parts.js';

const K = keywords('DO', 'NOTHING', 'UPDATE');
const PHRASE_ON_CONFLICT = phraseOf('ON CONFLICT');
const NO_TARGET: readonly string[] = Object.freeze([]);
const NO_COLUMNS: ReadonlySet<string> = new Set();

type Values = readonly ValueMapping[];

/** `ON CONFLICT …` of each sink that has it; the values written are what some are checked against. */
export interface ConflictRules {
  readonly postgres: Rule<ConflictAction, [Values]>;
  readonly mysql: Rule<ConflictAction>;
  readonly mongodb: Rule<ConflictAction, [Values]>;
}

export function defineConflicts(g: GrammarHost): ConflictRules {
  const action = g.rule('conflictAction', () => {
    g.take(K.DO);
    return g.choose<ConflictAction['action']>(0, [
      { ALT: () => g.takeAs(K.NOTHING, 'NOTHING') },
      { ALT: () => g.takeAs(K.UPDATE, 'UPDATE') },
    ]);
  });
  const mysql = g.rule('mysqlConflict', (): ConflictAction => {
    const first = g.position;
    g.phrase(PHRASE_ON_CONFLICT);
    return g.close({ target: NO_TARGET, action: g.call(action) }, first);
  });
  return {
    postgres: definePostgresConflict(g, action),
    mysql,
    mongodb: defineMongodbConflict(g, action),
  };
}

function definePostgresConflict(
  g: GrammarHost,
  action: Rule<ConflictAction['action']>,
): Rule<ConflictAction, [Values]> {
  const targetColumns = g.rule('conflictTarget', () => {
    g.take(LeftParen);
    const columns = g.closedList(0, () => g.text(COLUMN));
    g.take(RightParen);
    return columns;
  });
  return g.rule('postgresConflict', (values: Values): ConflictAction => {
    const first = g.position;
    g.phrase(PHRASE_ON_CONFLICT);
    const target = g.maybe(0, () => g.call(targetColumns)) ?? NO_TARGET;
    const found: ConflictAction = { target, action: g.call(action) };
    if (!g.isRecording && found.action === 'UPDATE') {
      if (target.length === 0) {
        g.refuse('Postgres ON CONFLICT DO UPDATE requires a conflict target', first);
      }
      if (!hasOtherColumn(values, target)) {
        const wanted = 'at least one non-conflict VALUES column to update';
        g.refuse(`Postgres ON CONFLICT DO UPDATE requires ${wanted}`, first);
      }
    }
    return g.close(found, first);
  });
}

function defineMongodbConflict(
  g: GrammarHost,
  action: Rule<ConflictAction['action']>,
): Rule<ConflictAction, [Values]> {
  const targetColumns = g.rule('mappedConflictTarget', (values: Values) => {
    const mapped = g.isRecording ? NO_COLUMNS : columnsOf(values);
    g.take(LeftParen);
    const columns = g.closedList(0, () => {
      const found = g.text(COLUMN);
      if (!g.isRecording && !mapped.has(found)) {
        const shown = cutText(found);
        g.refuse(`MongoDB ON CONFLICT target column '${shown}' is not mapped in VALUES`);
      }
      return found;
    });
    g.take(RightParen);
    return columns;
  });
  return g.rule('mongodbConflict', (values: Values): ConflictAction => {
    const first = g.position;
    g.phrase(PHRASE_ON_CONFLICT);
    const target = g.callWith(targetColumns, values);
    const found: ConflictAction = { target, action: g.call(action) };
    if (!g.isRecording && found.action === 'UPDATE' && !hasOtherColumn(values, target)) {
      const wanted = 'at least one non-conflict VALUES field to update';
      g.refuse(`MongoDB ON CONFLICT DO UPDATE requires ${wanted}`, first);
    }
    return g.close(found, first);
  });
}

/** Whether something is written beside the columns of the conflict target. */
function hasOtherColumn(values: Values, target: readonly string[]): boolean {
  const conflicting = new Set(target);
  return values.some(({ column }) => !conflicting.has(column));
}

function columnsOf(values: Values): ReadonlySet<string> {
  return new Set(values.map(({ column }) => column));
}
