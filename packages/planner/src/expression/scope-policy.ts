/**
 * What an expression may read in one place of the language. A policy is fixed by the place; the
 * rows themselves come with the node.
 */
export interface ScopePolicy {
  /** The place, as messages name it. */
  readonly context: string;
  /** What a name without a scope reads. */
  readonly bare:
    | 'input'
    | 'working'
    | 'finished_output'
    | 'set_output'
    | 'built_branch'
    | 'error_record'
    | 'none';
  /** What `message.<field>` reads. */
  readonly message: 'input' | 'working' | 'finished_output' | 'none';
  readonly input: boolean;
  /** `set`: only fields assigned before; `finished`: every field of the complete record. */
  readonly output: 'none' | 'set' | 'finished';
  /** `key`: the present branch key; `built`: the key fields assigned before. */
  readonly branch: 'none' | 'key' | 'built';
  /** `error` and, where a route failed, `partial_output`. */
  readonly error: boolean;
  /** Request headers of an ingestor's payload. */
  readonly headers: boolean;
  /** `calls`: aggregates may be called; `arguments`: this is the inside of such a call. */
  readonly aggregates: 'none' | 'calls' | 'arguments';
}

const NOTHING: ScopePolicy = {
  context: 'a constant',
  bare: 'none',
  message: 'none',
  input: false,
  output: 'none',
  branch: 'none',
  error: false,
  headers: false,
  aggregates: 'none',
};

const INPUT_ROW: ScopePolicy = { ...NOTHING, bare: 'input', message: 'input', input: true };

export const INGESTOR_FILTER: ScopePolicy = {
  ...INPUT_ROW,
  context: 'an ingestor FILTER WHERE',
  headers: true,
};

/** `FROM … WHERE` and `FILTER WHERE` of a processor. */
export const PROCESSOR_CONDITION: ScopePolicy = {
  ...INPUT_ROW,
  context: 'FROM WHERE or FILTER WHERE',
  branch: 'key',
};

/** `FROM … WHERE` of an emitter, which may read relays of several branches. */
export const EMITTER_CONDITION: ScopePolicy = { ...INPUT_ROW, context: 'an emitter FROM WHERE' };

export const DEDUPLICATE_ON: ScopePolicy = {
  ...INPUT_ROW,
  context: 'DEDUPLICATE ON',
  branch: 'key',
};

/** METHOD, PATH and the WHERE of an emitter without a body. */
export const EMITTER_SOURCE: ScopePolicy = {
  ...INPUT_ROW,
  context: 'an emitter source expression',
};

export const SUBSCRIPTION_WHERE: ScopePolicy = { ...INPUT_ROW, context: 'a subscription WHERE' };

const TRANSFORMING_SET: ScopePolicy = {
  ...NOTHING,
  bare: 'working',
  message: 'working',
  input: true,
  output: 'set',
};

export const INGESTOR_SET: ScopePolicy = {
  ...TRANSFORMING_SET,
  context: 'an ingestor route SET',
  headers: true,
};
export const PROCESSOR_SET: ScopePolicy = {
  ...TRANSFORMING_SET,
  context: 'a route SET',
  branch: 'key',
};
export const EMITTER_SET: ScopePolicy = { ...TRANSFORMING_SET, context: 'an emitter SET' };

const FINISHED: ScopePolicy = {
  ...NOTHING,
  bare: 'finished_output',
  message: 'finished_output',
  input: true,
  output: 'finished',
};

export const INGESTOR_ROUTE_WHERE: ScopePolicy = {
  ...FINISHED,
  context: 'an ingestor route WHERE',
  headers: true,
};
export const PROCESSOR_ROUTE_WHERE: ScopePolicy = {
  ...FINISHED,
  context: 'a route WHERE',
  branch: 'key',
};
/** WHERE and INVOKE of an emitter with a body. */
export const EMITTER_FINISHED: ScopePolicy = { ...FINISHED, context: 'an emitter WHERE or INVOKE' };

export const BRANCH_SET: ScopePolicy = {
  ...FINISHED,
  context: 'a branch SET',
  bare: 'built_branch',
  branch: 'built',
  headers: true,
};

export const WINDOW_SET: ScopePolicy = {
  ...NOTHING,
  context: 'a window route SET',
  bare: 'set_output',
  output: 'set',
  branch: 'key',
  aggregates: 'calls',
};
export const AGGREGATE_ARGUMENT: ScopePolicy = {
  ...NOTHING,
  context: 'a window aggregate argument',
  input: true,
  aggregates: 'arguments',
};
export const WINDOW_ROUTE_WHERE: ScopePolicy = {
  ...NOTHING,
  context: 'a window route WHERE',
  bare: 'finished_output',
  output: 'finished',
  branch: 'key',
};

/** ON MESSAGE ERROR SEND TO … SET; the record under construction is the error record. */
export const ERROR_SET: ScopePolicy = {
  ...NOTHING,
  context: 'an error record SET',
  bare: 'error_record',
  input: true,
  branch: 'key',
  error: true,
};
export const INGESTOR_ERROR_SET: ScopePolicy = { ...ERROR_SET, branch: 'none', headers: true };
/** ON DECODE ERROR SEND TO … SET: there is no row, only the payload. */
export const DECODE_ERROR_SET: ScopePolicy = {
  ...INGESTOR_ERROR_SET,
  context: 'a decode error SET',
  input: false,
};
