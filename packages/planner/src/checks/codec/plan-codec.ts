import type { CodecModel, CodecPlan } from '@nervix/model';
import type { PlanningContext } from '../planning-context.js';
import { planCsvCodec } from './csv-codec.js';
import { encodedFields } from './encoding-rules.js';
import { planProtobufCodec } from './protobuf-codec.js';
import { planSyslogCodec } from './syslog-codec.js';
import { planWireCodec } from './wire-codec.js';

/** What is known of a codec when its source is judged. */
export interface CodecSubject {
  readonly model: CodecModel;
  /** Fields that `ENCODE` names. */
  readonly encoded: ReadonlySet<string>;
}

/** Checks a codec: its ENCODE rules first, then that its payloads can hold the schema's fields. */
export function planCodec(context: PlanningContext, model: CodecModel): CodecPlan | undefined {
  const report = context.reporter(model);
  const encoded = encodedFields(report, model, context.fieldsOf(model.schema));
  if (encoded === undefined) return undefined;
  const { source } = model;
  switch (source.kind) {
    case 'wire':
      return planWireCodec(context, { model, encoded }, source);
    case 'csv':
      return planCsvCodec(context, { model, encoded }, source);
    case 'syslog':
      return planSyslogCodec(context, model);
    case 'protobuf':
      return planProtobufCodec(context, model, source);
    case 'jaq': {
      const { name, schema } = model;
      const { format: payload, transformations } = source;
      return { name, format: 'JAQ', schema, payload, transformations };
    }
  }
}
