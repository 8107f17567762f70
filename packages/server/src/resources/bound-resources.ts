import type { CodecModel, ExecutionPlan } from '@nervix/model';
import { protobufCodecPlan } from '@nervix/planner';
import { withClientFiles } from './client-mounts.js';
import { CodecDescriptorsError, withFiles, withProtoFiles } from './codec-descriptors.js';
import type { InstalledVersions } from './installed-versions.js';

/**
 * The plan as it is run: with the contents of the resource versions that its parts name.
 *
 * @throws Error that says which part cannot use which version
 */
export async function withResources(
  installed: InstalledVersions,
  plan: ExecutionPlan,
): Promise<ExecutionPlan> {
  return withProtoFiles(installed, await withClientFiles(installed, plan));
}

/** Why the descriptors of a codec cannot be compiled, or undefined; other codecs have none. */
export async function codecDefect(
  installed: InstalledVersions,
  domain: string,
  codec: CodecModel,
): Promise<string | undefined> {
  const plan = protobufCodecPlan(codec);
  if (plan === undefined) return undefined;
  try {
    const whole = await withFiles(installed, domain, plan);
    // Compilers of descriptors are loaded by those who have some.
    const { descriptorsDefect } = await import('@nervix/runtime/protobuf');
    return descriptorsDefect(whole);
  } catch (error) {
    if (error instanceof CodecDescriptorsError) return error.message;
    throw error;
  }
}
