import type { JaqCodecPlan, ProtobufCodecPlan } from '@nervix/model';
import { runtimeError } from '../../errors.js';
import { EMITTED_MAX } from './jaq-encoder.js';
import { JaqProgram } from './jaq-program.js';
import { sharedJqEngine } from './jq-engine.js';

/** A codec whose values programs turn into records and back. */
export type ProgramCodec = JaqCodecPlan | ProtobufCodecPlan;

/** The programs of the direction that writes. */
export interface EmittingPrograms {
  readonly program: JaqProgram;
  readonly batchProgram: JaqProgram | null;
}

/**
 * Compiles the program that makes records of values.
 *
 * @throws RuntimeError RUNTIME_INVALID_CODEC when it is missing or none
 */
export function compileIngestion(codec: ProgramCodec): JaqProgram {
  return compile(codec, codec.transformations.onIngestion);
}

/**
 * Compiles the programs that make values of records.
 *
 * @throws RuntimeError RUNTIME_INVALID_CODEC when one is missing or none
 */
export function compileEmitting(codec: ProgramCodec): EmittingPrograms {
  const { onEmitting, onEmittingBatch } = codec.transformations;
  return {
    program: compile(codec, onEmitting, EMITTED_MAX),
    batchProgram: onEmittingBatch === null ? null : compile(codec, onEmittingBatch, EMITTED_MAX),
  };
}

function compile(codec: ProgramCodec, program: string | null, outputsMax?: number): JaqProgram {
  const invalid = (problem: string) =>
    runtimeError('RUNTIME_INVALID_CODEC', { codec: codec.name, problem });
  if (program === null) throw invalid('has no jaq transformation for this direction');
  const compiled = JaqProgram.compile(sharedJqEngine(), program, outputsMax);
  if (typeof compiled === 'string') throw invalid(`has invalid jaq transformation: ${compiled}`);
  return compiled;
}
