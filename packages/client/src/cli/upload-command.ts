import type { ResourceInstalled } from '@nervix/protocol';
import type { Client } from '../client.js';
import { directoryFiles } from '../node.js';
import type { UploadFile } from '../tar-archive.js';
import { EXIT, type ExitCode, localFileError } from './command-line-error.js';
import type { Output } from './output.js';

/** What `nervix upload` is given. */
export interface UploadArguments {
  readonly resource: string;
  readonly folder: string;
  readonly identity?: string;
}

/** What an upload runs with. */
export interface UploadContext {
  readonly client: Client;
  readonly output: Output;
  readonly domain: string;
  readonly signal?: AbortSignal;
}

/** Sends a local folder as the next version of a resource and prints its number. */
export async function uploadFolder(
  { resource, folder, identity }: UploadArguments,
  { client, output, domain, signal }: UploadContext,
): Promise<void> {
  const from = await readFolder(folder);
  const installed: ResourceInstalled = await client.uploadResource({
    resource,
    from,
    domain,
    ...(identity === undefined ? {} : { identity }),
    ...(signal === undefined ? {} : { signal }),
  });
  await output.result(installed.message, installed);
}

/** Runs `nervix upload`. */
export async function runUpload(
  upload: UploadArguments,
  context: UploadContext,
): Promise<ExitCode> {
  await uploadFolder(upload, context);
  return EXIT.success;
}

async function readFolder(folder: string): Promise<readonly UploadFile[]> {
  try {
    return await directoryFiles(folder);
  } catch (cause) {
    throw localFileError('read', folder, cause);
  }
}
