import type { SuggestOutcome, SuggestRequest } from '@nervix/protocol/session';
import { RejectedError } from '../errors.js';
import type { Suggestion, SuggestOptions } from '../suggestions.js';
import { requestOver, type SessionQuestions, violation } from './session-request.js';

const PAGE_SIZE = 100;
/** Pages of one completion; a server with more has no use for a list. */
const PAGES_MAX = 100;
/** Times that a completion begins anew because what it lists has changed. */
const STARTS_MAX = 3;

const encoder = new TextEncoder();

function askPage(
  sessions: SessionQuestions,
  options: SuggestOptions,
  continuation: string | undefined,
): Promise<SuggestOutcome> {
  const { input, domain, cursor = encoder.encode(input).length } = options;
  const request: SuggestRequest = {
    t: 'SuggestRequest',
    input,
    cursor,
    page_size: PAGE_SIZE,
    ...(domain === undefined ? {} : { domain }),
    ...(continuation === undefined ? {} : { continuation }),
  };
  return sessions.ask('completing the text', options, async (connection, context) => {
    const result = await requestOver(connection, request, context);
    if (result.kind !== 'answered') return result;
    const { answer } = result;
    if (answer.t !== 'SuggestOutcome') return violation(connection, answer);
    return { kind: 'done', value: answer };
  });
}

/** All pages, or undefined when what they list changed between them. */
async function askPages(
  sessions: SessionQuestions,
  options: SuggestOptions,
): Promise<readonly Suggestion[] | undefined> {
  const found: Suggestion[] = [];
  let continuation: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const outcome = await askPage(sessions, options, continuation);
    if (outcome.status === 'StaleContext') return undefined;
    if (outcome.status === 'LookupFailed') {
      throw new RejectedError('INTERNAL', 'the server could not look up what the text may become');
    }
    found.push(...outcome.suggestions);
    continuation = outcome.continuation;
    if (continuation === undefined) break;
  }
  return found;
}

/**
 * Asks a session how a text may go on; all pages of it.
 *
 * @throws RejectedError when the server cannot tell, such as for a binding that no longer holds
 */
export async function suggestOver(
  sessions: SessionQuestions,
  options: SuggestOptions,
): Promise<readonly Suggestion[]> {
  for (let start = 0; start < STARTS_MAX; start += 1) {
    const found = await askPages(sessions, options);
    if (found !== undefined) return found;
  }
  throw new RejectedError('INPUTS_CHANGED', 'what the text may become changes all the time');
}
