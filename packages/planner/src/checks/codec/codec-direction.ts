import type { CodecModel } from '@nervix/model';
import type { FieldTable } from '../../expression/field-table.js';
import { missingSyslogFields } from './syslog-codec.js';

/** Why a codec cannot read payloads, if it cannot. */
export function decodingDefect({ name, source }: CodecModel): string | undefined {
  const hasPrograms = source.kind === 'jaq' || source.kind === 'protobuf';
  if (!hasPrograms || source.transformations.onIngestion !== null) return undefined;
  return `codec '${name}' has no ON INGESTION transformation`;
}

/** Why a codec cannot write records of its schema, if it cannot. */
export function encodingDefect(
  { name, source }: CodecModel,
  fields: FieldTable,
): string | undefined {
  switch (source.kind) {
    case 'jaq':
    case 'protobuf':
      if (source.transformations.onEmitting !== null) return undefined;
      return `codec '${name}' has no ON EMITTING transformation`;
    case 'syslog': {
      const missing = missingSyslogFields(fields);
      if (missing.length === 0) return undefined;
      const names = missing.map((field) => `'${field}'`).join(', ');
      return `codec '${name}' cannot encode syslog messages without fields ${names}`;
    }
    default:
      return undefined;
  }
}
