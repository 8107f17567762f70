import type { CodecPlan, SchemaPlan } from '@nervix/model';
import { compileAvroDecoder } from './avro/avro-decoder.js';
import { compileAvroEncoder } from './avro/avro-encoder.js';
import { compileCborDecoder } from './cbor/cbor-decoder.js';
import { compileCborEncoder } from './cbor/cbor-encoder.js';
import { type CodecEnvironment, SYSTEM_CODEC_ENVIRONMENT } from './codec-environment.js';
import { compileCsvDecoder } from './csv/csv-decoder.js';
import { compileCsvEncoder } from './csv/csv-encoder.js';
import { compileJaqDecoder, compileJaqEncoder } from './jaq/compile-jaq.js';
import { compileJsonDecoder } from './json/json-decoder.js';
import { compileJsonEncoder } from './json/json-encoder.js';
import type { PayloadDecoder, RowEncoder } from './payload-codec.js';
import { compileProtobufDecoder, compileProtobufEncoder } from './protobuf/compile-protobuf.js';
import { compileSyslogDecoder } from './syslog/syslog-decoder.js';
import { compileSyslogEncoder } from './syslog/syslog-encoder.js';

/** Compiles the decoder of a codec for the schema it decodes into. */
export function compileDecoder(
  codec: CodecPlan,
  schema: SchemaPlan,
  environment: CodecEnvironment = SYSTEM_CODEC_ENVIRONMENT,
): PayloadDecoder {
  switch (codec.format) {
    case 'JSON':
      return compileJsonDecoder(codec, schema);
    case 'CBOR':
      return compileCborDecoder(codec, schema);
    case 'AVRO':
      return compileAvroDecoder(codec, schema);
    case 'CSV':
      return compileCsvDecoder(codec, schema);
    case 'SYSLOG':
      return compileSyslogDecoder(codec, schema, environment);
    case 'JAQ':
      return compileJaqDecoder(codec, schema);
    case 'PROTOBUF':
      return compileProtobufDecoder(codec, schema);
  }
}

/** Compiles the encoder of a codec for rows of a schema. */
export function compileEncoder(codec: CodecPlan, schema: SchemaPlan): RowEncoder {
  switch (codec.format) {
    case 'JSON':
      return compileJsonEncoder(codec, schema);
    case 'CBOR':
      return compileCborEncoder(codec, schema);
    case 'AVRO':
      return compileAvroEncoder(codec, schema);
    case 'CSV':
      return compileCsvEncoder(codec, schema);
    case 'SYSLOG':
      return compileSyslogEncoder(codec, schema);
    case 'JAQ':
      return compileJaqEncoder(codec, schema);
    case 'PROTOBUF':
      return compileProtobufEncoder(codec, schema);
  }
}
