import type { ExportArguments } from './export-command.js';
import type { FormatArguments } from './format/format-command.js';
import type { OutputFormat } from './output.js';
import type { PlacementArguments } from './placement/placement-command.js';
import type { DiffArguments } from './plan/diff-command.js';
import type { PlanArguments } from './plan/plan-command.js';
import type { SecretArguments } from './secret-command.js';
import type { SubscribeArguments } from './subscribe-command.js';
import type { SuggestArguments } from './suggest-command.js';
import type { UploadArguments } from './upload-command.js';

/** The global flags. */
export interface GlobalOptions {
  readonly server: string;
  /** Origins of other nodes. */
  readonly seed: readonly string[];
  readonly tls: 'preferred' | 'required';
  readonly tlsCaCert?: string;
  readonly domain: string;
  readonly username: string;
  readonly password?: string;
  readonly format: OutputFormat;
  readonly command?: string;
  readonly file?: string;
  readonly suggest?: string;
  readonly cursor?: number;
  readonly executionReference?: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly historyFile: string;
  readonly color: boolean;
}

/** The one thing that an invocation does. */
export type CliMode =
  | { readonly kind: 'subscribe'; readonly subscribe: SubscribeArguments }
  | { readonly kind: 'domains' }
  | { readonly kind: 'upload'; readonly upload: UploadArguments }
  | { readonly kind: 'secret'; readonly secret: SecretArguments }
  | { readonly kind: 'format'; readonly format: FormatArguments }
  | { readonly kind: 'placement'; readonly placement: PlacementArguments }
  | { readonly kind: 'plan'; readonly plan: PlanArguments }
  | { readonly kind: 'diff'; readonly diff: DiffArguments }
  /** `label` is the name under which places in the text are reported. */
  | { readonly kind: 'command'; readonly text: string; readonly label: string }
  | { readonly kind: 'export'; readonly export: ExportArguments }
  | { readonly kind: 'suggest'; readonly suggest: SuggestArguments }
  | { readonly kind: 'completions'; readonly script: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'repl' };

/** An invocation that was read. */
export interface Invocation {
  readonly options: GlobalOptions;
  readonly mode: CliMode;
}

/** Takes the mode that a subcommand stands for. */
export type ChooseMode = (mode: CliMode) => void;
