import { canonicalName, nameDefect } from '@nervix/model';
import type { SecretService } from '../../../secrets/secret-service.js';
import { SecretUnavailableError } from '../../../secrets/secret-unavailable.js';
import { ALWAYS_ADMITTED } from '../../command-admission.js';
import type { CommandExecutor } from '../../command-executor.js';
import { reject } from '../../command-reply.js';
import type { CommandReply, Principal } from '../../control-plane.js';
import { contentDigest } from '../../execution-reference.js';
import { failed, type Outcome } from '../../outcome.js';
import type { ReferencedCommand } from '../../submission.js';
import { removeSecret } from './remove-secret.js';
import { writeSecret } from './write-secret.js';

/** A request about a secret of a domain. */
export interface SecretRequest {
  readonly owner: Principal;
  readonly domain: string;
  readonly name: string;
  /** Absent for the value without a key, and of a removal for all of the secret. */
  readonly key?: string;
  /** What the request is known by when it is sent again. */
  readonly reference: string;
}

export interface SecretWriteRequest extends SecretRequest {
  readonly value: string;
}

/** Characters that texts and lists could not show. */
const CONTROL = /\p{Cc}/u;

/** Carries out what the HTTP API asks of secrets; each reference takes effect once. */
export class SecretRequests {
  readonly #secrets: SecretService;
  readonly #executor: Pick<CommandExecutor, 'carryOut'>;

  constructor(secrets: SecretService, executor: Pick<CommandExecutor, 'carryOut'>) {
    this.#secrets = secrets;
    this.#executor = executor;
  }

  async write({ value, ...request }: SecretWriteRequest): Promise<CommandReply> {
    const { reference, key = null } = request;
    const domain = canonicalName(request.domain);
    const name = canonicalName(request.name);
    const refusal = this.#refusal(request) ?? valueDefect(value);
    if (refusal !== undefined) return refused(refusal, reference);
    let digest: string;
    try {
      // Only the key file tells a guess from the value: what is stored of it must not help anyone.
      digest = await this.#secrets.digest(JSON.stringify(['write', domain, name, key, value]));
    } catch (error) {
      return refused(unavailable(error), reference);
    }
    return this.#executor.carryOut(commandOf(request, domain, digest), async (context) => {
      try {
        return await writeSecret(context, commandOf(request, domain, digest), {
          domain,
          name,
          key,
          value,
        });
      } catch (error) {
        return unavailable(error);
      }
    });
  }

  async remove(request: SecretRequest): Promise<CommandReply> {
    const { reference, key } = request;
    const domain = canonicalName(request.domain);
    const name = canonicalName(request.name);
    const refusal = this.#refusal(request);
    if (refusal !== undefined) return refused(refusal, reference);
    const digest = contentDigest(JSON.stringify(['remove', domain, name, key ?? null]));
    const command = commandOf(request, domain, digest);
    return this.#executor.carryOut(command, async (context) => {
      if (context.state.domain(domain) === undefined) {
        return failed('NOT_FOUND', `domain '${domain}' does not exist`);
      }
      const removal = { domain, name, ...(key === undefined ? {} : { key }) };
      return removeSecret(context, command, removal);
    });
  }

  #refusal({ name, key = '' }: SecretRequest): Outcome | undefined {
    const refusal = this.#secrets.writeRefusal;
    if (refusal !== undefined) return failed('UNSUPPORTED_CAPABILITY', refusal);
    const defect = nameDefect(name);
    if (defect !== undefined) return failed('INVALID_REQUEST', `secret: ${defect}`);
    if (CONTROL.test(key)) {
      return failed('INVALID_REQUEST', 'a key of a secret holds no control characters');
    }
    return undefined;
  }
}

function commandOf(
  { owner, reference }: SecretRequest,
  domain: string,
  digest: string,
): ReferencedCommand {
  const alone = { transaction: null, expectedPosition: null, admission: ALWAYS_ADMITTED };
  return { owner, domain, reference, digest, ...alone };
}

function valueDefect(value: string): Outcome | undefined {
  if (value !== '') return undefined;
  return failed('INVALID_REQUEST', 'the value of a secret must not be empty');
}

/** @throws what the error is, if it is anything but that */
function unavailable(error: unknown): Outcome {
  if (!(error instanceof SecretUnavailableError)) throw error;
  return failed('SECRET_UNAVAILABLE', error.message);
}

function refused(outcome: Outcome, reference: string): CommandReply {
  if (outcome.kind === 'completed') throw new TypeError('only a refusal is refused');
  const { code, message, diagnostics } = outcome;
  return reject({ code, message, diagnostics }, reference);
}
