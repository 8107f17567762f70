import type { ExecutionPlan, SpanLookup } from '@nervix/model';
import type { DomainModels } from '../domain-models.js';
import type { PlanRefusal, PlanWarning } from '../errors.js';

export class PlanningContext {
  readonly domain: string;
  readonly models: DomainModels;
  readonly refusals: PlanRefusal[] = [];
  readonly warnings: PlanWarning[] = [];
  constructor(input: {
    readonly domain: string;
    readonly models: DomainModels;
    readonly spans: SpanLookup;
    readonly touched: ReadonlySet<string>;
  }) {
    this.domain = input.domain;
    this.models = input.models;
  }

  planAll(): Omit<ExecutionPlan, 'domain' | 'revision' | 'generation'> {
    return {
      schemas: [],
      codecs: [],
      branches: [],
      relays: [],
      endpoints: [],
      clients: [],
      ingestors: [],
      processors: [],
      emitters: [],
    };
  }
}
