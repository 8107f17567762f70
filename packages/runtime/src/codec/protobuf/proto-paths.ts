import type { ProtobufDescriptors } from '@nervix/model';

/**
 * The files that a codec's config names, or all `.proto` files when it names none.
 *
 * @param refuse called with why there are none
 */
export function rootPaths(
  { resource, roots, files }: ProtobufDescriptors,
  refuse: (problem: string) => never,
): string[] {
  const all = files.map(({ path }) => path).filter((path) => path.endsWith('.proto'));
  if (all.length === 0) {
    refuse(
      `protobuf resource '${resource.name}' version ${resource.version} contains no .proto files`,
    );
  }
  if (roots.length === 0) return all;
  for (const path of roots) {
    if (!files.some((file) => file.path === path)) {
      refuse(`failed to compile protobuf descriptors: file '${path}' was not found`);
    }
  }
  return [...roots];
}

/**
 * Where an import stands: below one of the directories for imports, in their order, else below the
 * resource's root.
 */
export function importedPath(
  { includes }: ProtobufDescriptors,
  name: string,
  exists: (path: string) => boolean,
): string {
  const candidates = includes.map((directory) =>
    directory === '' ? name : `${directory}/${name}`,
  );
  return candidates.find(exists) ?? name;
}
