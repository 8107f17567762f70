import { parseArgs } from 'node:util';
import { unreachable } from '@nervix/model';
import { frameLimitsDefect } from '@nervix/protocol/session';
import { isLoopbackHost, type ListenAddress, printListenAddress } from './listen-address.js';
import { OPTION_SPECS, type OptionSpec, variableOf } from './option-table.js';
import type { OptionError, OptionSetting, ServerOptions } from './server-options.js';
import { sessionLimits } from './session-limits.js';
import { unavailableReason } from './unavailable-options.js';

/** Variables of the process; the shape of `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Outcome of {@link readServerOptions}. */
export type OptionsReading =
  | {
      readonly kind: 'ok';
      readonly options: ServerOptions;
      /** Every setting in force, printable: secrets are redacted. */
      readonly settings: readonly OptionSetting[];
    }
  | { readonly kind: 'refused'; readonly error: OptionError };

/** A text given for an option, and where. */
interface Given {
  readonly text: string;
  readonly source: OptionSetting['source'];
  /** The option as the user wrote it. */
  readonly option: string;
}

type Collected =
  | { readonly kind: 'ok'; readonly flags: ReadonlyMap<string, Given> }
  | { readonly kind: 'refused'; readonly error: OptionError };

const REDACTED = '<redacted>';
const specsByName = new Map(OPTION_SPECS.map((spec) => [spec.name, spec]));

/**
 * Reads the options of a node: a flag wins over its environment variable, which wins over the
 * default. A flag given twice has its last value.
 *
 * @param argv the arguments after the program's name
 * @param env the process environment
 */
export function readServerOptions(argv: readonly string[], env: Environment): OptionsReading {
  const collected = collectFlags(argv);
  if (collected.kind === 'refused') return collected;
  const refusedVariable = findUnavailableVariable(env);
  if (refusedVariable !== undefined) return { kind: 'refused', error: refusedVariable };
  const values: Record<string, unknown> = {};
  const settings: OptionSetting[] = [];
  const origins = new Map<string, string>();
  for (const spec of OPTION_SPECS) {
    const given = givenFor(spec, collected.flags, env);
    if (given === undefined) continue;
    const result = spec.type.read(given.text);
    if (result.kind === 'refused') {
      const shown = spec.isSecret ? '' : ` '${given.text}'`;
      return refusal(given.option, `invalid value${shown}: ${result.reason}`);
    }
    values[spec.field] = result.value;
    origins.set(spec.field, given.option);
    const text = spec.isSecret ? REDACTED : spec.type.print(result.value);
    settings.push({ name: spec.name, text, source: given.source });
  }
  // Every field without a default is optional in ServerOptions.
  const options = values as unknown as ServerOptions;
  const error = findConflict(options, origins);
  if (error !== undefined) return { kind: 'refused', error };
  return { kind: 'ok', options, settings };
}

function refusal(option: string, message: string): { kind: 'refused'; error: OptionError } {
  return { kind: 'refused', error: { option, message } };
}

function givenFor(
  spec: OptionSpec,
  flags: ReadonlyMap<string, Given>,
  env: Environment,
): Given | undefined {
  const flag = flags.get(spec.name);
  if (flag !== undefined) return flag;
  const variable = variableOf(spec.name);
  const text = env[variable];
  if (text !== undefined) return { text, source: 'env', option: variable };
  if (spec.defaultText === null) return undefined;
  return { text: spec.defaultText, source: 'default', option: `--${spec.name}` };
}

function collectFlags(argv: readonly string[]): Collected {
  const options = Object.fromEntries(
    OPTION_SPECS.map((spec) => [
      spec.name,
      { type: spec.isSwitch ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  const { tokens } = parseArgs({
    args: [...argv],
    options: { ...options, authority: { type: 'string' } },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const flags = new Map<string, Given>();
  for (const token of tokens) {
    switch (token.kind) {
      case 'positional':
        return refusal(token.value, 'unexpected argument');
      case 'option-terminator':
        break;
      case 'option': {
        const isNextFlag = token.inlineValue === false && token.value.startsWith('--');
        const read = readFlag(token.name, token.rawName, isNextFlag ? undefined : token.value);
        if ('message' in read) return { kind: 'refused', error: read };
        flags.set(token.name, read);
        break;
      }
      default:
        return unreachable(token);
    }
  }
  return { kind: 'ok', flags };
}

function readFlag(name: string, option: string, value: string | undefined): Given | OptionError {
  const spec = specsByName.get(name);
  if (spec === undefined && !(name === 'authority' && value === 'embedded')) {
    return { option, message: unavailableReason(name) ?? 'unknown option' };
  }
  const text = value ?? (spec?.isSwitch ? 'true' : undefined);
  if (text === undefined) return { option, message: 'a value is expected' };
  return { text, source: 'flag', option };
}

/** A variable of a flag that this release refuses must not be passed over in silence. */
function findUnavailableVariable(env: Environment): OptionError | undefined {
  for (const [variable, value] of Object.entries(env)) {
    if (value === undefined || !variable.startsWith('NERVIX_')) continue;
    const name = variable.slice('NERVIX_'.length).toLowerCase().replaceAll('_', '-');
    if (specsByName.has(name)) continue;
    if (name === 'authority' && value === 'embedded') continue;
    const reason = unavailableReason(name);
    if (reason !== undefined) return { option: variable, message: reason };
  }
  return undefined;
}

/** Checks that involve more than one option. */
function findConflict(
  options: ServerOptions,
  origins: ReadonlyMap<string, string>,
): OptionError | undefined {
  const found = findMemoryConflict(options, origins) ?? findSecretConflict(options, origins);
  if (found !== undefined) return found;
  const defect = frameLimitsDefect(sessionLimits(options));
  if (defect !== undefined) {
    const option = origins.get('sessionTransferLimit') ?? '--session-transfer-limit';
    return { option, message: defect };
  }
  const listeners = [
    'addr',
    'httpListenAddr',
    'httpsListenAddr',
    'observabilityListenAddr',
  ] as const;
  const seen = new Set<string>();
  for (const field of listeners) {
    const address: ListenAddress = options[field];
    const option = origins.get(field) ?? field;
    if (
      field !== 'addr' &&
      !options.allowUnauthenticatedListeners &&
      !isLoopbackHost(address.host)
    ) {
      return {
        option,
        message:
          `'${address.host}' is not a loopback address and this listener does not authenticate; ` +
          'give --allow-unauthenticated-listeners to bind it there',
      };
    }
    const text = printListenAddress(address);
    if (address.port !== 0 && seen.has(text)) {
      return { option, message: `'${text}' is already the address of another listener` };
    }
    seen.add(text);
  }
  return undefined;
}

function findSecretConflict(
  { secretProvider, secretDir }: ServerOptions,
  origins: ReadonlyMap<string, string>,
): OptionError | undefined {
  if ((secretProvider === 'file') === (secretDir !== undefined)) return undefined;
  return secretDir === undefined
    ? {
        option: origins.get('secretProvider') ?? '--secret-provider',
        message: "the provider 'file' needs the folder of its secrets in --secret-dir",
      }
    : {
        option: origins.get('secretDir') ?? '--secret-dir',
        message: "only the provider 'file' reads secrets from a folder",
      };
}

function findMemoryConflict(
  options: ServerOptions,
  origins: ReadonlyMap<string, string>,
): OptionError | undefined {
  const { memoryHighWatermark: high, memoryLowWatermark: low } = options;
  const optionOf = (field: keyof ServerOptions, name: string): string =>
    origins.get(field) ?? `--${name}`;
  if (options.memoryPressureCheckIntervalMs <= 0) {
    const option = optionOf('memoryPressureCheckIntervalMs', 'memory-pressure-check-interval');
    return { option, message: 'the time between looks must be greater than zero' };
  }
  if ((high === undefined) !== (low === undefined)) {
    const option =
      high === undefined
        ? optionOf('memoryLowWatermark', 'memory-low-watermark')
        : optionOf('memoryHighWatermark', 'memory-high-watermark');
    return { option, message: 'the two memory watermarks are given together or not at all' };
  }
  if (high === undefined || low === undefined || low < high) return undefined;
  return {
    option: optionOf('memoryLowWatermark', 'memory-low-watermark'),
    message: 'the low memory watermark must be below the high one',
  };
}
