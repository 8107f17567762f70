import { OPTION_SPECS, variableOf } from './option-table.js';
import type { OptionSetting } from './server-options.js';

/** One line a setting: flag, value and where the value comes from. */
export function printSettings(settings: readonly OptionSetting[]): string {
  return settings.map(({ name, text, source }) => `--${name}=${text}  # ${source}\n`).join('');
}

/** The help text of all flags that are not secrets. */
export function printOptionHelp(): string {
  const lines = OPTION_SPECS.filter((spec) => !spec.isSecret).map((spec) => {
    const flag = spec.isSwitch ? `--${spec.name}` : `--${spec.name} <${spec.type.placeholder}>`;
    return `  ${flag}\n      ${spec.help} [${variableOf(spec.name)}, ${spec.defaultText}]\n`;
  });
  return lines.join('');
}
