import type { Expression } from '../expression.js';
import type {
  AckParticipation,
  Construction,
  Flush,
  GeneralErrorPolicy,
  Inputs,
  MaterializedDependency,
  MessageErrorPolicy,
  RetryPolicy,
} from '../route.js';

export interface HttpSink {
  readonly kind: 'http';
  readonly client: string;
  readonly method: Expression;
  readonly path: Expression;
  readonly mode: { readonly kind: 'ack'; readonly retry: RetryPolicy };
  readonly body:
    | { readonly kind: 'encode'; readonly codec: string }
    | { readonly kind: 'without_body' };
}

export interface EmitterModel {
  readonly kind: 'emitter';
  readonly name: string;
  readonly acknowledgement: AckParticipation;
  readonly inputs: Inputs;
  readonly dependencies: readonly MaterializedDependency[];
  readonly sink: HttpSink;
  readonly construction: Construction;
  readonly flush: Flush;
  readonly messageError: MessageErrorPolicy;
  readonly generalError: GeneralErrorPolicy;
}
