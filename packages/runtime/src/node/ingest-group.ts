import type { SchemaPlan } from '@nervix/model';
import { BatchBuilder } from '../batch/batch-builder.js';
import type { RecordBatch } from '../batch/record-batch.js';
import type { DecodeFailure } from '../codec/codec-failure.js';
import { decodeLines } from '../codec/decode-lines.js';
import type { PayloadDecoder } from '../codec/payload-codec.js';
import type { IntakeRequest } from '../connector/http/http-intake.js';

/** When an ingest group closes. */
export interface IngestGroupLimits {
  /** It holds this many messages. */
  readonly messagesMax: number;
  /** Its source has been quiet for so long. */
  readonly idleMs: number;
}

/** Limits that hold when nobody sets others. */
export const INGEST_GROUP_LIMITS: IngestGroupLimits = { messagesMax: 1024, idleMs: 5 };

/** A group also closes once its payloads are this large together, so that memory stays bounded. */
export const GROUP_BYTES_MAX: number = 4 * 1024 * 1024;

/** Where a body of lines, counted from 1, could not be decoded; null for any other body. */
export interface BodyFailure {
  readonly failure: DecodeFailure;
  readonly line: number | null;
}

/** A request with rows in the group. */
export interface GroupMember<Token> {
  readonly request: IntakeRequest;
  /** Row behind the request's last. */
  readonly endRow: number;
  readonly token: Token;
}

/** A payload that could not be decoded, kept for its error record. */
export interface RefusedPayload {
  readonly request: IntakeRequest;
  readonly failure: DecodeFailure;
}

/** A closed group. */
export interface ClosedGroup<Token> {
  readonly batch: RecordBatch;
  readonly members: readonly GroupMember<Token>[];
  readonly refused: readonly RefusedPayload[];
}

/** The open ingest group of a source instance: payloads decode straight into its columns. */
export class IngestGroup<Token> {
  readonly #decoder: PayloadDecoder;
  readonly #builder: BatchBuilder;
  #members: GroupMember<Token>[] = [];
  #refused: RefusedPayload[] = [];
  readonly #messagesMax: number;
  #payloadBytes = 0;

  constructor(decoder: PayloadDecoder, schema: SchemaPlan, limits: IngestGroupLimits) {
    this.#decoder = decoder;
    this.#messagesMax = limits.messagesMax;
    this.#builder = new BatchBuilder(schema);
  }

  get isEmpty(): boolean {
    return this.#builder.rowCount === 0 && this.#members.length + this.#refused.length === 0;
  }

  get isFull(): boolean {
    return this.#builder.rowCount >= this.#messagesMax || this.#payloadBytes >= GROUP_BYTES_MAX;
  }

  get rowCount(): number {
    return this.#builder.rowCount;
  }

  /**
   * Decodes a body whole or not at all, even when decoding throws.
   *
   * @returns what failed, or undefined after success
   */
  decode(request: IntakeRequest): BodyFailure | undefined {
    const { body } = request;
    const firstRow = this.#builder.rowCount;
    try {
      const failure = request.isLines
        ? decodeLines(this.#decoder, body, this.#builder)
        : this.#decodeWhole(body);
      if (failure === undefined) this.#payloadBytes += body.length;
      return failure;
    } catch (error) {
      this.#builder.truncate(firstRow);
      throw error;
    }
  }

  /** Remembers the request of the rows decoded last, for what comes of them. */
  remember(request: IntakeRequest, token: Token): void {
    this.#members.push({ request, endRow: this.#builder.rowCount, token });
  }

  /** Keeps an undecodable payload for its error record. */
  refuse(refused: RefusedPayload): void {
    this.#payloadBytes += refused.request.body.length;
    this.#refused.push(refused);
  }

  /** Takes everything gathered; the group starts again empty. */
  take(): ClosedGroup<Token> {
    const group = {
      batch: this.#builder.finish(),
      members: this.#members,
      refused: this.#refused,
    };
    this.#members = [];
    this.#refused = [];
    this.#payloadBytes = 0;
    return group;
  }

  #decodeWhole(body: Uint8Array): BodyFailure | undefined {
    const failure = this.#decoder.decode(body, 0, body.length, this.#builder);
    return failure === undefined ? undefined : { failure, line: null };
  }
}
