/** Codecs and Arrow streams alone, for those who need no graph, sources and sinks. */
export { type ArrowOutcome, readArrowStream } from './arrow/arrow-reader.js';
export { ArrowStreamWriter, writeArrowStream } from './arrow/arrow-writer.js';
export { BatchBuilder } from './batch/batch-builder.js';
export { RecordBatch } from './batch/record-batch.js';
export type { CodecEnvironment } from './codec/codec-environment.js';
export type { DecodeFailure, EncodeFailure, LineFailure } from './codec/codec-failure.js';
export { compileDecoder, compileEncoder } from './codec/compile-codec.js';
export { decodeLines } from './codec/decode-lines.js';
export type { Container, PayloadDecoder, RefusedRow, RowEncoder } from './codec/payload-codec.js';
