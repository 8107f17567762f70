import type {
  BranchPlan,
  CodecPlan,
  EndpointPlan,
  ExecutionPlan,
  HttpClientPlan,
  SchemaPlan,
} from '@nervix/model';
import { runtimeError } from '../errors.js';

/** Looks a plan's parts up by name; a part that is missing makes the plan invalid. */
export class PlanIndex {
  readonly #domain: string;
  readonly #schemas: ReadonlyMap<string, SchemaPlan>;
  readonly #codecs: ReadonlyMap<string, CodecPlan>;
  readonly #branches: ReadonlyMap<string, BranchPlan>;
  readonly #endpoints: ReadonlyMap<string, EndpointPlan>;
  readonly #clients: ReadonlyMap<string, HttpClientPlan>;

  constructor(plan: ExecutionPlan) {
    this.#domain = plan.domain;
    this.#schemas = byName(plan.schemas);
    this.#codecs = byName(plan.codecs);
    this.#branches = byName(plan.branches);
    this.#endpoints = byName(plan.endpoints);
    this.#clients = byName(plan.clients);
  }

  schema(name: string): SchemaPlan {
    return this.#found(this.#schemas, 'schema', name);
  }

  codec(name: string): CodecPlan {
    return this.#found(this.#codecs, 'codec', name);
  }

  branch(name: string): BranchPlan {
    return this.#found(this.#branches, 'branch', name);
  }

  endpoint(name: string): EndpointPlan {
    return this.#found(this.#endpoints, 'endpoint', name);
  }

  client(name: string): HttpClientPlan {
    return this.#found(this.#clients, 'client', name);
  }

  #found<T>(parts: ReadonlyMap<string, T>, kind: string, name: string): T {
    const part = parts.get(name);
    if (part === undefined) {
      const problem = `${kind} '${name}' is missing`;
      throw runtimeError('RUNTIME_INVALID_PLAN', { domain: this.#domain, problem });
    }
    return part;
  }
}

type Named = { readonly name: string };

/** Parts by name, by the lists that they are of: plans share those that are the same. */
const known = new WeakMap<readonly Named[], ReadonlyMap<string, Named>>();

/** Parts of a list by name; a list that is known costs nothing. */
export function byName<T extends Named>(parts: readonly T[]): ReadonlyMap<string, T> {
  const found = known.get(parts) as ReadonlyMap<string, T> | undefined;
  if (found !== undefined) return found;
  const named = new Map(parts.map((part) => [part.name, part]));
  known.set(parts, named);
  return named;
}
