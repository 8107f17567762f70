import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** An exact change of the text of one source file. */
export interface SourceFault {
  /** The broken rule. */
  readonly rule: string;
  /** Relative to the sources of the package. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const PACKAGES = new URL('../../../../../', import.meta.url);
const SERVER = new URL('server/', PACKAGES).href;
const SOURCES = new URL('src/', SERVER).href;

/** The test runner has no part in a run outside of it. */
const NO_RUNNER = 'data:text/javascript,export const onTestFinished = () => undefined;';

/**
 * Makes modules of this package that are imported with `?fault=N` those of a tree in which the fault
 * of that number is, and all that they import with them. Other packages are shared.
 */
export function hookFaults(faults: readonly SourceFault[]): void {
  registerHooks({
    resolve: (specifier, context, nextResolve) => {
      if (specifier === 'vitest') return { url: NO_RUNNER, shortCircuit: true };
      const { parentURL = '' } = context;
      const source = sourceOf(specifier, parentURL);
      if (source === undefined) return nextResolve(specifier, context);
      const { search } = new URL(parentURL || source);
      const isOwn = source.startsWith(SERVER) && !source.includes('?');
      return { url: isOwn ? source + search : source, shortCircuit: true };
    },
    load: (url, context, nextLoad) => {
      const { pathname, searchParams } = new URL(url);
      const fault = faults[Number(searchParams.get('fault') ?? -1)];
      if (fault === undefined || !pathname.endsWith(`/server/src/${fault.file}`)) {
        return nextLoad(url, context);
      }
      return { format: 'module-typescript', source: brokenSource(fault), shortCircuit: true };
    },
  });
}

/** The text of a file with a fault in it. @throws Error where the rule is not told exactly once */
export function brokenSource({ file, from, to }: SourceFault): string {
  const text = readFileSync(fileURLToPath(new URL(file, SOURCES)), 'utf8');
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`'${from}' stands ${parts.length - 1} times in ${file}`);
  return parts.join(to);
}

/** The source of a module of this repository, as the test runner resolves it. */
function sourceOf(specifier: string, parentURL: string): string | undefined {
  const [, name, entry = 'index'] = /^@nervix\/([^/]+)(?:\/(.+))?$/u.exec(specifier) ?? [];
  if (name !== undefined) return new URL(`${name}/src/${entry}.ts`, PACKAGES).href;
  if (!/^\.{1,2}\//u.test(specifier) || !parentURL.startsWith(PACKAGES.href)) return undefined;
  if (parentURL.includes('/node_modules/')) return undefined;
  const base = new URL(parentURL);
  base.search = '';
  return new URL(specifier.replace(/\.js$/u, '.ts'), base).href;
}

/** The module of a path relative to `server/`, in the tree with a fault. */
export function moduleWith(fault: number, file: string): string {
  return `${new URL(file, SERVER).href}?fault=${fault}`;
}
