import { redactConfigText } from '@nervix/model';
import { faultPlace, type ParsedStatement } from '@nervix/nspl-parser';
import type { WireDiagnostic } from '@nervix/protocol';
import type { Outcome } from './outcome.js';

/** The outcome of a statement, with a remark on each secret that a new client holds itself. */
export function withSecretRemarks(outcome: Outcome, parsed: ParsedStatement): Outcome {
  if (outcome.kind !== 'completed' || outcome.alreadyExisted) return outcome;
  const remarks = secretRemarks(parsed);
  return remarks.length === 0 ? outcome : { ...outcome, remarks };
}

/** No remark holds a value. */
function secretRemarks(parsed: ParsedStatement): readonly WireDiagnostic[] {
  const { statement } = parsed;
  if (statement.kind !== 'create_model' || statement.model.kind !== 'client') return [];
  const { type, config } = statement.model;
  return config.flatMap((entry) => {
    const { key, value } = entry;
    if (value.kind === 'secret' || redactConfigText(type, key, value.text) === value.text)
      return [];
    const message = `config key '${key}' holds a literal secret; consider SECRET`;
    const span = faultPlace(parsed, { subject: entry });
    return [span === undefined ? { message } : { message, span: { ...span } }];
  });
}
