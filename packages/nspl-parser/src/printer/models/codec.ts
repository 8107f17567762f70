import type {
  CodecModel,
  CodecSource,
  CsvCodecSource,
  JaqTransformations,
  ProtobufCodecSource,
} from '@nervix/model';
import { block, clauseStatement, type Lines } from '../layout.js';
import { stringLiteral } from '../lexical.js';
import { settingItems } from '../settings.js';
import { printBinding } from './binding.js';

export function printCodec(model: CodecModel, create: string): string {
  const { name, source, schema, encode } = model;
  const rules = encode.map(({ field, as }) => `${field} AS ${as}`).join(', ');
  return clauseStatement(`${create} CODEC ${name}`, [
    ...sourceLines(source),
    `TO SCHEMA ${schema}`,
    ...('transformations' in source ? [printTransformations(source.transformations)] : []),
    ...(rules === '' ? [] : [`ENCODE ${rules}`]),
  ]);
}

function sourceLines(source: CodecSource): Lines {
  switch (source.kind) {
    case 'wire':
      return [`FROM WIRE ${source.format} SCHEMA ${source.wireSchema}`];
    case 'jaq':
      return [`FROM ${source.format}`];
    case 'protobuf':
      return protobufLines(source);
    case 'syslog':
      return ['FROM SYSLOG'];
    case 'csv':
      return [`FROM CSV${printCsvOptions(source)}`];
  }
}

function protobufLines({ descriptors, config, message, batchMessage }: ProtobufCodecSource): Lines {
  const batch = batchMessage === null ? '' : ` BATCH MESSAGE ${stringLiteral(batchMessage)}`;
  return [
    `FROM PROTOBUF${printBinding('USING RESOURCE', descriptors)}`,
    ...block('CONFIG', settingItems(config)),
    `MESSAGE ${stringLiteral(message)}${batch}`,
  ];
}

function printCsvOptions({ header, delimiter, quote, nullToken, mode }: CsvCodecSource): string {
  const separator = delimiter === '\t' ? 'TAB' : stringLiteral(delimiter);
  return [
    ...(header === 'NONE' ? [] : [` HEADER ${header}`]),
    ...(delimiter === ',' ? [] : [` DELIMITER ${separator}`]),
    ...(quote === '"' ? [] : [` QUOTE ${quote === null ? 'NONE' : stringLiteral(quote)}`]),
    ...(nullToken === null ? [] : [` NULL ${stringLiteral(nullToken)}`]),
    ...(mode === 'STRICT' ? [] : [` MODE ${mode}`]),
  ].join('');
}

function printTransformations(transformations: JaqTransformations): string {
  const { onIngestion, onEmitting, onEmittingBatch } = transformations;
  const clause = (words: string, program: string | null) =>
    program === null ? '' : ` ON ${words} ${stringLiteral(program)}`;
  return [
    'WITH JAQ TRANSFORMATIONS',
    clause('INGESTION', onIngestion),
    clause('EMITTING', onEmitting),
    clause('EMITTING BATCH', onEmittingBatch),
  ].join('');
}
