/** A complete request body on its way to the ingestors of an endpoint. */
export interface IntakeRequest {
  readonly body: Uint8Array;
  /** `application/x-ndjson`: every non-blank line is a payload, admitted together or not at all. */
  readonly isLines: boolean;
  /** Values of a header in order, looked up without regard to case. */
  headers(name: string): readonly string[];
}

/** What a data listener answers; without a code the body is empty. */
export interface HttpAnswer {
  readonly status: number;
  readonly error?: { readonly code: string; readonly message: string } & Readonly<
    Record<string, unknown>
  >;
  readonly retryAfterSeconds?: number;
}

/** What an HTTP route leads to. */
export interface HttpIntake {
  /** Takes a complete body and answers exactly once, at once or later. */
  submit(request: IntakeRequest, answer: (answer: HttpAnswer) => void): void;
  /** Told of every answer given under the route, whoever gave it. */
  answered(status: number): void;
}

export const ACCEPTED: HttpAnswer = { status: 202 };
export const ACKNOWLEDGED: HttpAnswer = { status: 200 };

/** An answer that refuses the request. */
export function refusal(status: number, code: string, message: string): HttpAnswer {
  return { status, error: { code, message } };
}
