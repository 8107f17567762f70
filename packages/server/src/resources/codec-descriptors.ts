import { isUtf8 } from 'node:buffer';
import type { ExecutionPlan, ProtobufCodecPlan, ProtoFile } from '@nervix/model';
import type { InstalledVersions } from './installed-versions.js';
import { DamagedVersionError } from './store/version-folder.js';

/** Why the descriptors of a codec cannot be used. */
export class CodecDescriptorsError extends Error {
  override readonly name = 'CodecDescriptorsError';
}

/** All `.proto` files of a version together: they are compiled at once, on one thread. */
const PROTO_BYTES_MAX = 4 * 1_024 * 1_024;

/**
 * The plan as it is run: with the files of the resource versions that its codecs name, each compared
 * with what was installed.
 *
 * @throws CodecDescriptorsError for a version that is not there, damaged or too large
 */
export async function withProtoFiles(
  installed: InstalledVersions,
  plan: ExecutionPlan,
): Promise<ExecutionPlan> {
  if (plan.codecs.every(({ format }) => format !== 'PROTOBUF')) return plan;
  const codecs = await Promise.all(
    plan.codecs.map((codec) =>
      codec.format === 'PROTOBUF' ? withFiles(installed, plan.domain, codec) : codec,
    ),
  );
  return { ...plan, codecs };
}

/**
 * A codec with the files of its resource version.
 *
 * @throws CodecDescriptorsError for a version that is not there, damaged or too large
 */
export async function withFiles(
  installed: InstalledVersions,
  domain: string,
  codec: ProtobufCodecPlan,
): Promise<ProtobufCodecPlan> {
  const { descriptors } = codec;
  const { resource } = descriptors;
  const version = await installed.open(domain, resource.name, resource.version);
  if (version.kind !== 'installed') throw unusable(codec, version.reason);
  const protos = version.entries.flatMap((entry) =>
    entry.type === 'file' && entry.path.endsWith('.proto') ? [entry] : [],
  );
  if (protos.reduce((sum, { size }) => sum + size, 0) > PROTO_BYTES_MAX) {
    throw unusable(codec, `its .proto files have more than ${PROTO_BYTES_MAX} bytes`);
  }
  const files: ProtoFile[] = [];
  for (const { path } of protos) {
    const content = await readOf(codec, () => version.readFile(path));
    files.push({ path, text: textOf(codec, path, content) });
  }
  return { ...codec, descriptors: { ...descriptors, files } };
}

async function readOf(
  codec: ProtobufCodecPlan,
  read: () => Promise<Buffer | undefined>,
): Promise<Buffer> {
  try {
    return (await read()) ?? Buffer.alloc(0);
  } catch (error) {
    if (!(error instanceof DamagedVersionError)) throw error;
    throw unusable(codec, error.message);
  }
}

function textOf(codec: ProtobufCodecPlan, path: string, content: Buffer): string {
  if (!isUtf8(content)) throw unusable(codec, `'${path}' is no UTF-8`);
  return content.toString('utf8');
}

function unusable({ name, descriptors }: ProtobufCodecPlan, reason: string): CodecDescriptorsError {
  const { resource } = descriptors;
  return new CodecDescriptorsError(
    `codec '${name}' cannot use resource '${resource.name}' version ${resource.version}: ${reason}`,
  );
}
