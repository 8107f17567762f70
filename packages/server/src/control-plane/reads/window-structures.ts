import {
  type Expression,
  findAggregate,
  printFloat,
  WINDOW_AGGREGATES,
  type WindowProcessorModel,
} from '@nervix/model';
import { printExpression } from '@nervix/nspl-parser';

const STORAGE: Readonly<Record<string, string>> = {
  COUNT: 'counter',
  SUM: 'sum',
  FIRST: 'sequence',
  LAST: 'sequence',
  MAX: 'extremes',
  MIN: 'extremes',
  ARG_MAX: 'arg_extremes',
  ARG_MIN: 'arg_extremes',
  AVG: 'moments',
  STDDEV_POP: 'moments',
  STDDEV_SAMP: 'moments',
  VAR_POP: 'moments',
  VAR_SAMP: 'moments',
  CORR: 'co_moments',
  COVAR_POP: 'co_moments',
  COVAR_SAMP: 'co_moments',
  BOOL_AND: 'truth_counter',
  BOOL_OR: 'truth_counter',
  COUNT_IF: 'truth_counter',
  PERCENTILE_LINEAR_HISTOGRAM: 'linear_histogram',
  APPROX_COUNT_DISTINCT: 'hll',
  APPROX_QUANTILE: 'quantile_sketch',
  APPROX_TOP_K: 'frequent_items',
};

interface Structure {
  readonly storage: string;
  readonly inputs: string;
  /** Lines of a histogram's own settings. */
  readonly settings: readonly string[];
  readonly functions: Set<string>;
  references: number;
}

/**
 * The accumulators of a window processor in order of first use. Calls of one route over the same
 * arguments share one accumulator; routes share none.
 */
export function windowStructures(model: WindowProcessorModel): readonly (readonly string[])[] {
  const structures: Structure[] = [];
  for (const route of model.routes) {
    const ofRoute = new Map<string, Structure>();
    for (const { value } of route.construction.set) {
      for (const call of aggregateCalls(value)) addCall(call, ofRoute);
    }
    structures.push(...ofRoute.values());
  }
  return structures.map((structure, index) => [
    `structure ${index}:`,
    `  functions: ${[...structure.functions].sort().join(', ')}`,
    `  storage: ${structure.storage}`,
    `  references: ${structure.references}`,
    `  ${structure.inputs}`,
    ...structure.settings.map((line) => `  ${line}`),
  ]);
}

type AggregateCall = Extract<Expression, { kind: 'call' }>;

function addCall(call: AggregateCall, structures: Map<string, Structure>): void {
  const name = call.name.toUpperCase();
  const storage = STORAGE[name] ?? 'unknown';
  const { texts, settings } = argumentsOf(call, name);
  const inputs = `${texts.length > 1 ? 'inputs' : 'input'}: ${texts.join(', ')}`;
  const key = [storage, inputs, ...settings].join(' ');
  const structure = structures.get(key);
  if (structure === undefined) {
    const shown = storage === 'linear_histogram' ? settings : [];
    structures.set(key, {
      storage,
      inputs,
      settings: shown,
      functions: new Set([name]),
      references: 1,
    });
  } else {
    structure.functions.add(name);
    structure.references += 1;
  }
}

/** What is asked of a state, and no part of it. */
const ASKED: ReadonlySet<string> = new Set(['percentile', 'top_count']);

/** The arguments that rows have values of, and the settings of the state behind them. */
function argumentsOf(
  call: AggregateCall,
  name: string,
): { readonly texts: readonly string[]; readonly settings: readonly string[] } {
  const parameters = findAggregate(name)?.signatures[0]?.parameters ?? [];
  const texts: string[] = [];
  const settings: string[] = [];
  call.arguments.forEach((argument, index) => {
    const { name: word, constant } = parameters[index] ?? { name: '', constant: null };
    if (constant === null) texts.push(printExpression(argument));
    else if (!ASKED.has(constant)) settings.push(`${word}: ${settingText(argument, constant)}`);
  });
  return { texts, settings };
}

function settingText(argument: Expression, constant: string): string {
  if (argument.kind === 'string') return argument.value;
  const isBound = constant === 'lower_bound' || constant === 'upper_bound';
  if (!isBound) return printExpression(argument);
  const bound = argument.kind === 'integer' ? Number(argument.digits) : 0;
  const text = printFloat(argument.kind === 'float' ? argument.value : bound, false);
  return text.includes('.') ? text : `${text}.0`;
}

/** Aggregate calls inside an expression, left to right. */
function aggregateCalls(root: Expression): readonly AggregateCall[] {
  const found: AggregateCall[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const element of value) visit(element);
    } else if (typeof value === 'object' && value !== null) {
      const node = value as Partial<AggregateCall>;
      if (node.kind === 'call' && WINDOW_AGGREGATES.has(node.name?.toUpperCase() ?? '')) {
        found.push(value as AggregateCall);
      } else {
        for (const child of Object.values(value)) visit(child);
      }
    }
  };
  visit(root);
  return found;
}
