import type { JqEngine, JqOutcome } from './jq-engine.js';
import { TREE_DEPTH_MAX } from './json-tree.js';

/** Most values that the programs of one payload may make. */
export const OUTPUTS_MAX = 65_536;

/** A value that a program made: of which input, and as a JSON text. */
export interface ProgramOutput {
  readonly input: number;
  readonly json: string;
}

/** What came of running a program over inputs. */
export type ProgramOutcome =
  | {
      readonly kind: 'outputs';
      readonly outputs: readonly ProgramOutput[];
      /** Positions of the inputs whose evaluation failed, ascending. */
      readonly failedInputs: readonly number[];
    }
  /** No output is to be had. */
  | { readonly kind: 'failed'; readonly cause: string };

/** Line that ends complete outputs; a program that halts leaves it out. */
const COMPLETE = '[-1]';

/** Deepest nesting of an output: what readers and writers of formats take. */
export const OUTPUT_DEPTH_MAX: number = TREE_DEPTH_MAX;

/**
 * Fails for a value that nests deeper than so far, and yields nothing: of an output that the engine
 * cannot print any more, the outputs of all inputs would be lost.
 */
const CHECK_DEPTH =
  'def __check_depth($left): if type == "array" or type == "object" then ' +
  'if $left == 0 then error("nesting") else .[] | __check_depth($left - 1) end ' +
  'else empty end; ';

/** A program of a codec that compiled. */
export class JaqProgram {
  readonly #engine: JqEngine;
  readonly #source: string;

  /** @param outputsMax values that each input may make; further ones are not evaluated */
  private constructor(engine: JqEngine, program: string, outputsMax: number) {
    this.#engine = engine;
    // The program stands alone between parentheses: it was compiled alone, so it closes what it opens.
    // Its outputs carry the position of their input, and an error leaves the position alone.
    this.#source =
      `${CHECK_DEPTH}limit(${OUTPUTS_MAX + 1}; to_entries[] | .key as $__input | ` +
      `try (limit(${outputsMax}; .value | (${program}\n)) | __check_depth(${OUTPUT_DEPTH_MAX}), ` +
      '[$__input, .]) catch [$__input]), ' +
      COMPLETE;
  }

  /** Compiles a program; answers why not when it is none. */
  static compile(
    engine: JqEngine,
    program: string,
    outputsMax: number = OUTPUTS_MAX + 1,
  ): JaqProgram | string {
    const outcome = engine.evaluate(program, '');
    if (outcome.kind === 'output') return new JaqProgram(engine, program, outputsMax);
    return outcome.kind === 'error' ? compileError(outcome.text) : 'it takes too long';
  }

  /** Runs the program over each of the JSON texts. */
  run(inputs: readonly string[]): ProgramOutcome {
    return readOutputs(this.#engine.evaluate(this.#source, `[${inputs.join(',')}]`));
  }
}

/** The first line of what the compiler says, without its name. */
function compileError(text: string): string {
  const [first = ''] = text.trim().split('\n');
  return first.replace(/^jq: error: /, '').trimEnd();
}

function readOutputs(outcome: JqOutcome): ProgramOutcome {
  const failed = (cause: string): ProgramOutcome => ({ kind: 'failed', cause });
  if (outcome.kind === 'stopped') return failed('evaluation exceeded its limits');
  if (outcome.kind === 'error') return failed('evaluation failed');
  const lines = outcome.text.trimEnd().split('\n');
  const isComplete = lines.pop() === COMPLETE;
  if (lines.length > OUTPUTS_MAX) return failed(`more than ${OUTPUTS_MAX} outputs`);
  if (!isComplete) return failed('evaluation was halted');
  const outputs: ProgramOutput[] = [];
  const failedInputs: number[] = [];
  for (const line of lines) {
    const comma = line.indexOf(',');
    const input = Number(line.slice(1, comma < 0 ? -1 : comma));
    if (comma < 0) failedInputs.push(input);
    else outputs.push({ input, json: line.slice(comma + 1, -1) });
  }
  return { kind: 'outputs', outputs, failedInputs };
}
