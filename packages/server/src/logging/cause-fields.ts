import { redactText } from './redaction.js';

/** How many causes behind the first one a record holds. */
const CAUSES_MAX = 8;
const CAUSE_LENGTH_MAX = 1_024;
const STACK_LENGTH_MAX = 8_192;

/** The members of a record that tell what made it: the error, and behind it what caused that. */
export function causeFields(cause: unknown): Record<string, string | readonly string[]> {
  if (cause === undefined) return {};
  const causes = causesBehind(cause).map(causeText);
  const behind = causes.length === 0 ? {} : { causes };
  if (!(cause instanceof Error)) return { error: redactText(String(cause)), ...behind };
  const code = codeOf(cause);
  return {
    error: redactText(`${cause.name}: ${cause.message}`),
    ...(code === undefined ? {} : { code }),
    ...behind,
    stack: redactText(cause.stack ?? '', STACK_LENGTH_MAX),
  };
}

/** Causes of an error, and the parts of an aggregate of errors, nearest first, each once. */
function causesBehind(error: unknown): readonly unknown[] {
  const seen = new Set<unknown>([error]);
  // A set takes what is added while it is walked.
  for (const next of seen) {
    if (!(next instanceof Error)) continue;
    const parts = next instanceof AggregateError ? next.errors : [];
    for (const cause of [next.cause, ...parts]) {
      if (seen.size > CAUSES_MAX) break;
      if (cause !== undefined) seen.add(cause);
    }
  }
  return [...seen].slice(1);
}

function causeText(cause: unknown): string {
  if (!(cause instanceof Error)) return redactText(String(cause), CAUSE_LENGTH_MAX);
  const code = codeOf(cause);
  const named = code === undefined ? cause.name : `${cause.name} ${code}`;
  return redactText(`${named}: ${cause.message}`, CAUSE_LENGTH_MAX);
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
