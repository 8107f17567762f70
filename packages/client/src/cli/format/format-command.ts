import type { Readable } from 'node:stream';
import { SOURCE_BYTES_MAX } from '@nervix/nspl-parser';
import { EXIT, type ExitCode, localFileError, usageError } from '../command-line-error.js';
import type { Output } from '../output.js';
import { findScripts } from './find-scripts.js';
import { type FormatMode, FormatReport } from './format-report.js';
import { formatBytes, formatFile, type ScriptOutcome } from './format-script.js';

/** Arguments of `nervix format`. */
export interface FormatArguments {
  /** Files and folders, or `-` alone for standard input. */
  readonly paths: readonly string[];
  readonly mode: FormatMode;
}

/** What the command runs with. */
export interface FormatContext {
  readonly output: Output;
  readonly input: Readable;
  readonly signal: AbortSignal;
}

const STANDARD_INPUT = '-';

/**
 * Formats scripts without asking any server. A script that cannot be formatted stays as it is and
 * keeps no other from being formatted; arguments are checked before anything is written.
 *
 * @throws CommandLineError for arguments that cannot be used
 */
export async function runFormat(
  { paths, mode }: FormatArguments,
  context: FormatContext,
): Promise<ExitCode> {
  if (paths.includes(STANDARD_INPUT)) {
    if (paths.length > 1) throw usageError('- for standard input goes with no other path');
    return formatInput(mode === 'check' ? mode : 'stdout', context);
  }
  const { output, signal } = context;
  const found = await findScripts(paths);
  const report = new FormatReport(output, mode);
  for (const one of found) {
    if (signal.aborted) break;
    if ('target' in one) await report.add(asked(await formatFile(one, mode === 'write'), mode));
    else await report.add({ kind: 'failed', ...one });
  }
  const exitCode = await report.finish();
  return signal.aborted ? EXIT.interrupted : exitCode;
}

async function formatInput(mode: FormatMode, context: FormatContext): Promise<ExitCode> {
  const { output, input, signal } = context;
  const report = new FormatReport(output, mode);
  const outcome = await readInput(input, signal);
  if (signal.aborted) return EXIT.interrupted;
  await report.add(asked(outcome, mode));
  return report.finish();
}

/** An outcome as the mode sees it: a text that is given out in its canonical form is formatted. */
function asked(outcome: ScriptOutcome, mode: FormatMode): ScriptOutcome {
  const isGivenOut = mode === 'stdout' && outcome.kind === 'unformatted';
  return isGivenOut ? { ...outcome, kind: 'formatted' } : outcome;
}

async function readInput(input: Readable, signal: AbortSignal): Promise<ScriptOutcome> {
  const label = 'stdin';
  const stop = (): void => void input.destroy();
  signal.addEventListener('abort', stop, { once: true });
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of input) {
      const bytes = Buffer.from(chunk);
      chunks.push(bytes);
      length += bytes.length;
      // Longer than any script: the rest makes no difference.
      if (length > SOURCE_BYTES_MAX) break;
    }
  } catch (cause) {
    return { kind: 'failed', path: label, error: localFileError('read', label, cause) };
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return formatBytes(label, Buffer.concat(chunks));
}
