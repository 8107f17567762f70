/** What codecs ask of their surroundings. */
export interface CodecEnvironment {
  /** UTC in Unix nanoseconds, for formats whose times leave out the year. */
  utcNanos(): bigint;
}

const NANOS_PER_MS = 1_000_000n;

/** The clock of the process. */
export const SYSTEM_CODEC_ENVIRONMENT: CodecEnvironment = {
  utcNanos: () => BigInt(Date.now()) * NANOS_PER_MS,
};
