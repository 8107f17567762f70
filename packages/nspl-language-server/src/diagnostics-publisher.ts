import type { Connection } from 'vscode-languageserver';
import { diagnose } from './diagnostics.js';
import type { SourceDocument } from './source-document.js';

/** How long a text has to rest after a change before it is diagnosed. */
const REST_MS = 50;
/** A text that takes long to read has to rest for as long, but not longer than this. */
const REST_MS_MAX = 2000;

/** Sends the diagnostics of a document when it is opened and when it rests after changes. */
export class DiagnosticsPublisher {
  readonly #connection: Pick<Connection, 'sendDiagnostics'>;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #restMs = new WeakMap<SourceDocument, number>();

  constructor(connection: Pick<Connection, 'sendDiagnostics'>) {
    this.#connection = connection;
  }

  /** Sends the diagnostics of a document that was opened. */
  open(document: SourceDocument): void {
    this.#cancel(document.uri);
    this.#publish(document);
  }

  /** Sends the diagnostics of a document that was changed, once it rests. */
  change(document: SourceDocument): void {
    this.#cancel(document.uri);
    const restMs = this.#restMs.get(document) ?? REST_MS;
    const timer = setTimeout(() => {
      this.#timers.delete(document.uri);
      this.#publish(document);
    }, restMs);
    this.#timers.set(document.uri, timer);
  }

  /** Takes the diagnostics of a document that was closed off the client's lists. */
  close(document: SourceDocument): void {
    this.#cancel(document.uri);
    this.#send({ uri: document.uri, diagnostics: [] });
  }

  #cancel(uri: string): void {
    clearTimeout(this.#timers.get(uri));
    this.#timers.delete(uri);
  }

  #publish(document: SourceDocument): void {
    const startedMs = performance.now();
    const diagnostics = diagnose(document);
    const tookMs = performance.now() - startedMs;
    this.#restMs.set(document, Math.min(Math.max(REST_MS, tookMs), REST_MS_MAX));
    this.#send({ uri: document.uri, version: document.version, diagnostics });
  }

  #send(params: Parameters<Connection['sendDiagnostics']>[0]): void {
    // A client that cannot be written to is gone, which ends the process elsewhere.
    this.#connection.sendDiagnostics(params).catch(() => undefined);
  }
}
