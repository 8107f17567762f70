import type { CodecModel, ProtobufCodecPlan, ProtobufCodecSource } from '@nervix/model';
import type { PlanningContext } from '../planning-context.js';

/** Lists of paths that the config holds, by the names that each may have. */
const PATH_LISTS: ReadonlyMap<string, 'roots' | 'includes'> = new Map([
  ['file', 'roots'],
  ['files', 'roots'],
  ['include', 'includes'],
  ['includes', 'includes'],
]);

type PathLists = Pick<ProtobufCodecPlan['descriptors'], 'roots' | 'includes'>;

/** What is wrong with the source of a codec, and which part of it. */
interface SourceDefect {
  readonly defect: string;
  readonly subject: object;
}

/**
 * Checks the paths of a codec of messages; whether the files are there and define the messages is
 * known where the codec is compiled. The plan holds no files yet.
 */
export function planProtobufCodec(
  context: PlanningContext,
  model: CodecModel,
  source: ProtobufCodecSource,
): ProtobufCodecPlan | undefined {
  const plan = planOf(model, source);
  if (!('defect' in plan)) return plan;
  context.reporter(model).invalid(plan.defect, plan.subject);
  return undefined;
}

/** The plan of a codec of messages without its files; undefined for any other, or with a defect. */
export function protobufCodecPlan(model: CodecModel): ProtobufCodecPlan | undefined {
  if (model.source.kind !== 'protobuf') return undefined;
  const plan = planOf(model, model.source);
  return 'defect' in plan ? undefined : plan;
}

function planOf(
  { name, schema }: CodecModel,
  { descriptors, config, transformations, message, batchMessage }: ProtobufCodecSource,
): ProtobufCodecPlan | SourceDefect {
  const { resource, version } = descriptors;
  if (!/^[0-9]+$/u.test(version)) {
    return { defect: `resource '${resource}' has no resolved version`, subject: descriptors };
  }
  const paths = pathLists(config);
  if ('defect' in paths) return paths;
  return {
    ...{ name, format: 'PROTOBUF', schema, transformations, message, batchMessage },
    descriptors: {
      resource: { name: resource, version: Number(version) },
      ...paths,
      files: [],
    },
  };
}

function pathLists(config: ProtobufCodecSource['config']): PathLists | SourceDefect {
  const lists = { roots: [] as string[], includes: [] as string[] };
  for (const entry of config) {
    const list = PATH_LISTS.get(entry.key);
    if (list === undefined) {
      const expected = "expected 'file', 'files', 'include', or 'includes'";
      return {
        defect: `unsupported protobuf config key '${entry.key}'; ${expected}`,
        subject: entry,
      };
    }
    for (const text of entry.value.split(',').map((part) => part.trim())) {
      const path = normalized(text);
      if (path === undefined) {
        const defect = `protobuf config '${entry.key}' path '${text}' leaves the resource`;
        return { defect, subject: entry };
      }
      if (path !== '' || list === 'includes') lists[list].push(path);
    }
  }
  return lists;
}

/**
 * A path below the resource's root without `.`, `..` and empty parts; `''` is the root itself.
 *
 * @returns undefined for a path that leaves the root
 */
function normalized(path: string): string | undefined {
  if (path.startsWith('/') || path.includes('\\') || path.includes('\0')) return undefined;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}
