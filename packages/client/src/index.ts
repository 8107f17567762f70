export {
  Client,
  connect,
  type ExecuteOptions,
  type ReadOptions,
  type ServerHealth,
} from './client.js';
export type { CloseOptions } from './client-transport.js';
export type { ConnectOptions } from './connect-options.js';
export * from './errors.js';
export { parseExactJson, printExactJson } from './exact-json.js';
export { newExecutionReference } from './execution-reference.js';
export { rowText } from './row-text.js';
export type { SecretOptions, WriteSecretOptions } from './secrets.js';
export type {
  RowSchema,
  SubscribeOptions,
  Subscription,
  SubscriptionInterruption,
  SubscriptionRecord,
} from './subscription.js';
export type { Suggestion, SuggestOptions } from './suggestions.js';
export type { UploadFile } from './tar-archive.js';
export type {
  CommitOptions,
  InspectOptions,
  Transaction,
  TransactionCallOptions,
} from './transaction.js';
export type { UploadOptions, UploadSource } from './upload.js';
