import type { ResourceBinding } from '@nervix/model';

/** ` MOUNT r VERSION v` after the given words; nothing without a binding. */
export function printBinding(words: string, binding: ResourceBinding | null): string {
  return binding === null ? '' : ` ${words} ${binding.resource} VERSION ${binding.version}`;
}
