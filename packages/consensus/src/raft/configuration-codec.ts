import type { Configuration, Member } from './configuration.ts';
import { type FeatureLevels, FIRST_LEVEL, LEVEL_MAX } from './feature-levels.ts';
import { isHexId } from './hex-id.ts';

/** Thrown for bytes that are no configuration. */
export class MalformedConfigurationError extends Error {
  override readonly name = 'MalformedConfigurationError';
}

/** How many voters, and how many learners, there may be. */
export const MEMBERS_MAX = 1_024;

/**
 * The payload of a configuration entry: a list of texts and numbers as JSON in UTF-8, without any
 * freedom of layout, so that equal configurations have equal bytes on every member.
 */
export function encodeConfiguration(configuration: Configuration): Uint8Array {
  const { clusterUid, level, voters, outgoing, learners } = configuration;
  const text = JSON.stringify([
    clusterUid,
    level,
    voters.map(encodeMember),
    outgoing.map(encodeMember),
    learners.map(encodeMember),
  ]);
  return new TextEncoder().encode(text);
}

/**
 * Inverse of {@link encodeConfiguration}. Throws {@link MalformedConfigurationError} for whatever
 * would not be encoded into exactly these bytes.
 */
export function decodeConfiguration(bytes: Uint8Array): Configuration {
  const configuration = decodeText(bytes);
  const again = encodeConfiguration(configuration);
  const isSame = again.length === bytes.length && again.every((byte, i) => byte === bytes[i]);
  if (!isSame) throw new MalformedConfigurationError('the bytes are not in canonical form');
  return configuration;
}

function decodeText(bytes: Uint8Array): Configuration {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new MalformedConfigurationError('the bytes are not JSON', { cause });
  }
  if (!Array.isArray(parsed) || parsed.length !== 5) throw wrongShape();
  const [clusterUid, level, voters, outgoing, learners]: readonly unknown[] = parsed;
  return {
    clusterUid: hexOf(clusterUid),
    level: levelOf(level),
    voters: membersOf(voters),
    outgoing: membersOf(outgoing),
    learners: membersOf(learners),
  };
}

function encodeMember(member: Member): readonly (string | number)[] {
  const { nodeId, storeId, incarnation, endpoint, levels } = member;
  return [nodeId, storeId, String(incarnation), endpoint, levels.oldest, levels.newest];
}

function membersOf(value: unknown): readonly Member[] {
  if (!Array.isArray(value) || value.length > MEMBERS_MAX) throw wrongShape();
  return value.map((it: unknown): Member => {
    if (!Array.isArray(it) || it.length !== 6) throw wrongShape();
    const [nodeId, storeId, incarnation, endpoint, oldest, newest]: readonly unknown[] = it;
    if (typeof incarnation !== 'string' || !/^(0|[1-9][0-9]{0,19})$/.test(incarnation)) {
      throw wrongShape();
    }
    return {
      nodeId: textOf(nodeId),
      storeId: hexOf(storeId),
      incarnation: BigInt(incarnation),
      endpoint: textOf(endpoint),
      levels: levelsOf(oldest, newest),
    };
  });
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw wrongShape();
  return value;
}

function levelOf(value: unknown): number {
  const isLevel = Number.isInteger(value) && Number(value) >= FIRST_LEVEL;
  if (!isLevel || Number(value) > LEVEL_MAX) throw wrongShape();
  return Number(value);
}

function levelsOf(oldest: unknown, newest: unknown): FeatureLevels {
  const levels = { oldest: levelOf(oldest), newest: levelOf(newest) };
  if (levels.oldest > levels.newest) throw wrongShape();
  return levels;
}

function hexOf(value: unknown): string {
  if (typeof value !== 'string' || !isHexId(value)) throw wrongShape();
  return value;
}

function wrongShape(): MalformedConfigurationError {
  return new MalformedConfigurationError('the bytes do not describe members');
}
