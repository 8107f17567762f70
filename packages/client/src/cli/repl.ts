import { clearLine, createInterface, cursorTo, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Client } from '../client.js';
import { EXIT, type ExitCode } from './command-line-error.js';
import { Output, type OutputFormat } from './output.js';
import { readScript } from './parsed-script.js';
import { completeLine } from './repl-completer.js';
import { ReplHistory } from './repl-history.js';
import { Session } from './session.js';
import { endsWithTerminator } from './statement-end.js';

/** What the dialogue runs with. */
export interface ReplContext {
  readonly client: Client;
  readonly domain: string;
  readonly format: OutputFormat;
  readonly input: Readable;
  readonly output: Writable;
  readonly errorOutput: Writable;
  /** Whether a person types: prompts and history then. */
  readonly isInteractive: boolean;
  readonly hasColor: boolean;
  readonly historyFile: string;
  readonly signal: AbortSignal;
}

type CompleterDone = (error: null, result: [candidates: string[], replaced: string]) => void;

/** A completion that takes longer is of no use to who types. */
const completionTimeoutMs = 5_000;
const leaveWord = /^\s*(exit|quit)\s*;?\s*$/i;

/** Reads statements line by line and runs each as soon as it is complete. */
class Repl {
  readonly #context: ReplContext;
  readonly #lines: Interface;
  readonly #history: ReplHistory;
  readonly #output: Output;
  readonly #session: Session;
  readonly #interruption = new AbortController();
  /** The interface's own list of lines, once it has shown it. */
  #shownHistory: string[] | undefined;
  #pending = '';
  #isPrompting = false;
  #firstFailure: ExitCode = EXIT.success;

  constructor(context: ReplContext) {
    this.#context = context;
    this.#history = new ReplHistory(context.isInteractive ? context.historyFile : undefined);
    this.#lines = this.#openLines();
    this.#output = new Output(context.format, {
      out: (text) => this.#write(context.output, text),
      err: (text) => this.#write(context.errorOutput, text),
      hasColor: context.hasColor,
    });
    this.#session = new Session(context.client, this.#output, context.domain);
    const interrupt = (): void => {
      this.#interruption.abort();
      this.#lines.close();
    };
    this.#lines.on('SIGINT', interrupt);
    context.signal.addEventListener('abort', interrupt, { once: true });
  }

  async run(): Promise<ExitCode> {
    this.#prompt();
    for await (const line of this.#lines) {
      this.#isPrompting = false;
      if (this.#pending === '' && leaveWord.test(line)) break;
      await this.#take(line);
      if (this.#interruption.signal.aborted) break;
      this.#prompt();
    }
    const isInterrupted = this.#interruption.signal.aborted;
    // What is left of piped input cannot be completed any more: its error is due.
    const isCutOff = !this.#context.isInteractive && this.#pending.trim() !== '';
    if (isCutOff && !isInterrupted) await this.#runPending();
    this.#isPrompting = false;
    this.#lines.close();
    await this.#session.end();
    if (isInterrupted) return EXIT.interrupted;
    return this.#context.isInteractive ? EXIT.success : this.#firstFailure;
  }

  #openLines(): Interface {
    const { input, output, isInteractive } = this.#context;
    if (!isInteractive) return createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
    const lines = createInterface({
      input,
      output,
      terminal: true,
      completer: (line: string, done: CompleterDone) => void this.#complete(line, done),
      history: [...this.#history.entries],
      historySize: 200,
    });
    // The interface adds each line by itself; ours decides what is kept, and when.
    lines.on('history', (entries: string[]) => {
      this.#shownHistory = entries;
      entries.splice(0, entries.length, ...this.#history.entries);
    });
    return lines;
  }

  /** Completes what stands before the cursor; a server that does not answer offers nothing. */
  async #complete(line: string, done: CompleterDone): Promise<void> {
    const { cursor, line: whole } = this.#lines;
    const typed = { before: this.#pending, line: whole, cursor };
    const signal = AbortSignal.timeout(completionTimeoutMs);
    const completion = await completeLine(typed, (options) =>
      this.#session.suggest({ ...options, signal }),
    ).catch(() => undefined);
    if (completion === undefined || this.#lines.line !== whole) {
      done(null, [[], line]);
      return;
    }
    const { candidates, replaced, tailLength } = completion;
    done(null, [[...candidates], replaced]);
    if (candidates.length !== 1) return;
    for (let left = tailLength; left > 0; left -= 1) this.#lines.write(null, { name: 'delete' });
  }

  #prompt(): void {
    if (!this.#context.isInteractive) return;
    const { domain, transactionPhase } = this.#session;
    const phase = { none: '', open: ' tx', committing: ' committing' }[transactionPhase];
    this.#lines.setPrompt(
      this.#pending === '' ? `nervix[${domain}${phase}]> ` : `....[${domain}]> `,
    );
    this.#isPrompting = true;
    this.#lines.prompt();
  }

  /** Writes above the prompt while one is shown. */
  #write(stream: Writable, text: string): void {
    if (!this.#isPrompting) {
      stream.write(text);
      return;
    }
    clearLine(this.#context.output, 0);
    cursorTo(this.#context.output, 0);
    stream.write(text);
    this.#lines.prompt(true);
  }

  async #take(line: string): Promise<void> {
    this.#pending += `${line}\n`;
    if (this.#pending.trim() === '') {
      this.#pending = '';
      return;
    }
    const { statements, errors } = readScript({ label: 'input', text: this.#pending });
    const isOnlyComment = errors.length === 0 && statements.length === 0;
    if (isOnlyComment) this.#pending = '';
    else if (errors.length === 0 || endsWithTerminator(this.#pending)) await this.#runPending();
  }

  async #runPending(): Promise<void> {
    const source = { label: 'input', text: this.#pending.trimEnd() };
    this.#pending = '';
    this.#remember(source.text);
    const script = readScript(source);
    if (script.errors.length > 0) {
      await this.#output.syntaxErrors(source, script.errors);
      this.#noteFailure(EXIT.failed);
      return;
    }
    for (const statement of script.statements) {
      try {
        await this.#session.run(statement, { source, signal: this.#interruption.signal });
      } catch (error) {
        const place = this.#session.placeOf(statement, source);
        this.#noteFailure(await this.#output.failure(error, place));
        return;
      }
    }
  }

  #remember(input: string): void {
    const problem = this.#history.add(input);
    if (problem !== undefined) {
      this.#context.errorOutput.write(`the history cannot be kept: ${problem}\n`);
    }
    this.#shownHistory?.splice(0, this.#shownHistory.length, ...this.#history.entries);
  }

  #noteFailure(exitCode: ExitCode): void {
    if (this.#firstFailure === EXIT.success) this.#firstFailure = exitCode;
  }
}

/** Runs the dialogue until the user leaves, then reverts an open transaction. */
export function runRepl(context: ReplContext): Promise<ExitCode> {
  return new Repl(context).run();
}
