import type { ResetTarget, ResetWasmProcessorStatement } from '@nervix/model';
import { printLiteralBindings } from '../literal-value.js';

export function printReset({ name, domain, target }: ResetWasmProcessorStatement): string {
  return `RESET WASM PROCESSOR ${name} STATE IN DOMAIN ${domain} FOR ${printTarget(target)};`;
}

function printTarget(target: ResetTarget): string {
  switch (target.kind) {
    case 'unbranched':
      return 'UNBRANCHED';
    case 'all_branches':
      return 'ALL BRANCHES';
    case 'branch':
      return `BRANCH VALUES { ${printLiteralBindings(target.values)} }`;
  }
}
