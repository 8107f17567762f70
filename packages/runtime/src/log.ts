/** Levels from most to least urgent. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One log record. Neither message nor fields ever hold field values, branch keys or secrets. */
export interface LogRecord {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, string | number>>;
}

/** Takes log records of the data plane. */
export type LogSink = (record: LogRecord) => void;

/** Records a second and log at most; failing input must not become a flood of its own. */
const RECORDS_PER_SECOND_MAX = 200;

/** Writes the records of one domain, at most so many a second, and says how many it left out. */
export class RuntimeLog {
  readonly #sink: LogSink;
  readonly #level: LogLevel;
  readonly #nowMs: () => number;
  #windowStartMs = Number.NEGATIVE_INFINITY;
  #written = 0;
  #suppressed = 0;

  constructor(sink: LogSink, level: LogLevel, nowMs: () => number) {
    this.#sink = sink;
    this.#level = level;
    this.#nowMs = nowMs;
  }

  error(message: string, fields: LogRecord['fields'] = {}): void {
    this.#write({ level: 'error', message, fields });
  }

  warn(message: string, fields: LogRecord['fields'] = {}): void {
    this.#write({ level: 'warn', message, fields });
  }

  info(message: string, fields: LogRecord['fields'] = {}): void {
    this.#write({ level: 'info', message, fields });
  }

  debug(message: string, fields: LogRecord['fields'] = {}): void {
    this.#write({ level: 'debug', message, fields });
  }

  #write(record: LogRecord): void {
    if (LOG_LEVELS.indexOf(record.level) > LOG_LEVELS.indexOf(this.#level)) return;
    const nowMs = this.#nowMs();
    if (nowMs - this.#windowStartMs >= 1000) {
      this.#windowStartMs = nowMs;
      this.#written = 0;
      if (this.#suppressed > 0) {
        const fields = { suppressed: this.#suppressed };
        this.#suppressed = 0;
        this.#sink({ level: 'warn', message: 'log records were left out', fields });
      }
    }
    if (this.#written >= RECORDS_PER_SECOND_MAX && record.level !== 'error') {
      this.#suppressed += 1;
      return;
    }
    this.#written += 1;
    this.#sink(record);
  }
}
