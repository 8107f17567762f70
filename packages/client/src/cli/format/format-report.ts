import { type DiagnosticJson, diagnosticsJson } from '@nervix/nspl-parser';
import { EXIT, type ExitCode, FORMAT_EXIT } from '../command-line-error.js';
import type { Output } from '../output.js';
import type { ScriptOutcome } from './format-script.js';

/** What is done with formatted scripts. */
export type FormatMode = 'write' | 'check' | 'stdout';

/** What the JSON document says of a file. */
interface FileReport {
  readonly path: string;
  readonly outcome: ScriptOutcome['kind'];
  readonly statements?: number;
  readonly comments?: number;
  /** The canonical form, when it was asked for. */
  readonly text?: string;
  readonly message?: string;
  readonly diagnostics?: readonly DiagnosticJson[];
}

/** Faults from the worst to the slightest: the worst of all files makes the exit code. */
const FAULTS = [
  { kind: 'defect', exitCode: FORMAT_EXIT.defect },
  { kind: 'failed', exitCode: FORMAT_EXIT.io },
  { kind: 'refused', exitCode: FORMAT_EXIT.parse },
  { kind: 'unformatted', exitCode: FORMAT_EXIT.unformatted },
] as const;

/** Says what became of each script as it becomes known, and of all of them at the end. */
export class FormatReport {
  readonly #output: Output;
  readonly #mode: FormatMode;
  readonly #files: FileReport[] = [];
  /** The first outcome of each kind. */
  readonly #firsts = new Map<ScriptOutcome['kind'], ScriptOutcome>();

  constructor(output: Output, mode: FormatMode) {
    this.#output = output;
    this.#mode = mode;
  }

  /** What became of one script. */
  async add(outcome: ScriptOutcome): Promise<void> {
    const { kind, path } = outcome;
    if (!this.#firsts.has(kind)) this.#firsts.set(kind, outcome);
    this.#files.push(this.#fileReport(outcome));
    switch (kind) {
      case 'refused':
        await this.#output.sourceErrors(outcome.source, outcome.errors);
        break;
      case 'failed':
      case 'defect':
        await this.#output.plainError(messageOf(outcome));
        break;
      default:
        if (this.#output.format === 'text') await this.#printText(outcome.text, kind, path);
    }
  }

  /** What became of all. */
  async finish(): Promise<ExitCode> {
    const fault = FAULTS.find(({ kind }) => this.#firsts.has(kind));
    const first = fault === undefined ? undefined : this.#firsts.get(fault.kind);
    const report = { files: this.#files };
    if (this.#output.format === 'text') {
      if (this.#mode !== 'stdout' && this.#files.length > 0)
        await this.#output.notice(this.#summary());
    } else if (first === undefined || first.kind === 'unformatted') {
      await this.#output.result('', report);
    } else {
      const error = { code: codeOf(first), message: messageOf(first), report };
      await this.#output.result('', { error });
    }
    return fault?.exitCode ?? EXIT.success;
  }

  async #printText(text: string, kind: ScriptOutcome['kind'], path: string): Promise<void> {
    if (kind === 'nothing_to_do') {
      await this.#output.notice(`${path}: nothing to do, it has no statements`);
    }
    if (this.#mode === 'stdout') await this.#output.verbatim(text);
    else if (kind === 'formatted' || kind === 'unformatted') await this.#output.result(path, path);
  }

  #fileReport(outcome: ScriptOutcome): FileReport {
    const { kind, path } = outcome;
    if (kind === 'refused') {
      const { text, label } = outcome.source;
      const diagnostics = diagnosticsJson(text, outcome.errors, label);
      return { path, outcome: kind, diagnostics };
    }
    if (kind === 'failed' || kind === 'defect') {
      return { path, outcome: kind, message: messageOf(outcome) };
    }
    const { statementCount: statements, commentCount: comments, text } = outcome;
    const given = this.#mode === 'stdout' ? { text } : {};
    return { path, outcome: kind, statements, comments, ...given };
  }

  /** How many files had which outcome. */
  #summary(): string {
    const words: readonly [ScriptOutcome['kind'], string][] = [
      ['unformatted', 'not formatted'],
      ['formatted', 'formatted'],
      ['unchanged', this.#mode === 'check' ? 'formatted' : 'unchanged'],
      ['nothing_to_do', 'without statements'],
      ['refused', 'not readable as NSPL'],
      ['failed', 'failed'],
      ['defect', 'not formatted because of a defect'],
    ];
    const parts = words.flatMap(([kind, word]) => {
      const count = this.#files.filter(({ outcome }) => outcome === kind).length;
      return count === 0 ? [] : [`${count} ${word}`];
    });
    const { length } = this.#files;
    return `${length} ${length === 1 ? 'file' : 'files'}: ${parts.join(', ')}`;
  }
}

function codeOf(outcome: ScriptOutcome): string {
  switch (outcome.kind) {
    case 'failed':
      return outcome.error.code;
    case 'defect':
      return 'INTERNAL';
    default:
      return 'PARSE_FAILED';
  }
}

function messageOf(outcome: ScriptOutcome): string {
  switch (outcome.kind) {
    case 'failed':
      return outcome.error.message;
    case 'defect':
      return `${outcome.path}: defect of the formatter, nothing was written: ${outcome.message}`;
    case 'refused':
      return `${outcome.path}: ${outcome.errors[0]?.stage} error: ${outcome.errors[0]?.message}`;
    default:
      return `${outcome.path} is not formatted`;
  }
}
