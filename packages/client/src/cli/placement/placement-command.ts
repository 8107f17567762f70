import { readFile, writeFile } from 'node:fs/promises';
import { type PlacementReport, placementReport } from '@nervix/scheduler';
import type { Client } from '../../client.js';
import { EXIT, type ExitCode, localFileError } from '../command-line-error.js';
import type { Output } from '../output.js';
import { placementHtml } from './placement-html.js';
import { type InputFile, placementInput } from './placement-input.js';

/** Arguments of `nervix placement`. */
export interface PlacementArguments {
  /** JSON files to compute from; empty asks a running node. */
  readonly inputs: readonly string[];
  /** File that takes the page, or `-` for standard output. */
  readonly html?: string;
  /** Whether the report is printed as JSON. */
  readonly json: boolean;
  /** Candidates listed for each unit besides its owner, where files are computed. */
  readonly candidatesMax: number;
}

/** What the command runs with. */
export interface PlacementContext {
  readonly output: Output;
  /** Reads a file, or standard input for `-`. */
  readonly readInput: (path: string) => Promise<InputFile>;
}

const STANDARD_OUTPUT = '-';

/** Script of the page, beside this module as the build leaves it. */
const PAGE_SCRIPT = new URL('../../placement-page/placement-page.js', import.meta.url);

/**
 * Computes a placement from files and shows it, without any server.
 *
 * @throws CommandLineError for files that cannot be read, used or written
 */
export async function showFilePlacement(
  asked: PlacementArguments,
  context: PlacementContext,
): Promise<ExitCode> {
  const files: InputFile[] = [];
  for (const path of asked.inputs) files.push(await context.readInput(path));
  const { candidatesMax } = asked;
  return show(placementReport(placementInput(files), { candidatesMax }), asked, context);
}

/**
 * Shows the placement of a domain of a running node.
 *
 * @throws ClientError when the node does not answer or refuses
 * @throws CommandLineError for a file that cannot be written
 */
export async function showNodePlacement(
  asked: PlacementArguments,
  context: PlacementContext,
  { client, domain, signal }: { client: Client; domain: string; signal: AbortSignal },
): Promise<ExitCode> {
  const { message } = await client.execute('EXPLAIN PLACEMENT FORMAT JSON;', { domain, signal });
  return show(JSON.parse(message) as PlacementReport, asked, context);
}

async function show(
  report: PlacementReport,
  { html, json }: PlacementArguments,
  { output }: PlacementContext,
): Promise<ExitCode> {
  if (json) await output.verbatim(`${JSON.stringify(report)}\n`);
  if (html === undefined) return EXIT.success;
  const page = placementHtml(report, await pageScript());
  if (html === STANDARD_OUTPUT) await output.verbatim(page);
  else await writePage(html, page);
  return EXIT.success;
}

async function writePage(path: string, page: string): Promise<void> {
  try {
    await writeFile(path, page);
  } catch (cause) {
    throw localFileError('write', path, cause);
  }
}

async function pageScript(): Promise<string> {
  const script = await readFile(PAGE_SCRIPT, 'utf8');
  return script.replace(/\n\/\/# sourceMappingURL=.*\s*$/u, '\n');
}
