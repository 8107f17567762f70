/** The feature levels that a release reads and can run at, both inclusive. */
export interface FeatureLevels {
  readonly oldest: number;
  readonly newest: number;
}

/** The level of the first release. */
export const FIRST_LEVEL = 1;
/** Levels fit one byte of every stored value. */
export const LEVEL_MAX = 255;

/** What a release understands whose newest level is this one: that level and the one below. */
export function levelsOfRelease(newest: number): FeatureLevels {
  return { oldest: Math.max(FIRST_LEVEL, newest - 1), newest };
}

/** Those of the first release. */
export const FIRST_LEVELS: FeatureLevels = levelsOfRelease(FIRST_LEVEL);

export function supportsLevel({ oldest, newest }: FeatureLevels, level: number): boolean {
  return oldest <= level && level <= newest;
}

export function isSameLevels(left: FeatureLevels, right: FeatureLevels): boolean {
  return left.oldest === right.oldest && left.newest === right.newest;
}

/** What a process tells of its levels. */
export interface LeveledProcess {
  readonly nodeId: string;
  readonly levels: FeatureLevels;
  /** The activated level of its cluster as far as it has applied; `undefined` outside of one. */
  readonly level: number | undefined;
}

/**
 * Why two processes of one cluster cannot talk: one of them does not know the activated level, which
 * is the greater one of what the two have applied. `undefined` when both do.
 */
export function levelRefusal(one: LeveledProcess, other: LeveledProcess): string | undefined {
  const level = Math.max(one.level ?? 0, other.level ?? 0);
  if (level === 0) return undefined;
  const unfit = [one, other].find(({ levels }) => !supportsLevel(levels, level));
  if (unfit === undefined) return undefined;
  return unsupportedLevel(unfit, level);
}

/** The text for a process that does not know the activated level, with the remedy. */
export function unsupportedLevel(
  { nodeId, levels }: Pick<LeveledProcess, 'nodeId' | 'levels'>,
  level: number,
): string {
  return (
    `node '${nodeId}' supports feature levels ${levels.oldest} to ${levels.newest};` +
    ` the cluster has activated level ${level}; start a release that supports it`
  );
}

/** Why a level cannot be activated: the release of this member does not support it. */
export function activationProblem(
  level: number,
  { nodeId, levels }: Pick<LeveledProcess, 'nodeId' | 'levels'>,
): string {
  const supported = `${levels.oldest} to ${levels.newest}`;
  return `cannot activate feature level ${level}: node '${nodeId}' supports ${supported}`;
}
