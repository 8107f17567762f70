// Makes the printer of a child process print every statement as another one: `--import` this
// module behind the one that lets it run the sources.

import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/nspl-parser/src/printer/statement.ts')) return loaded;
    const head = 'export function printStatement(';
    const source = String(loaded.source);
    if (!source.includes(head)) throw new Error(`${url} has no printStatement`);
    const broken = "export function printStatement() { return 'STOP;'; }\n";
    return { ...loaded, source: broken + source.replace(head, 'export function unbroken(') };
  },
});
