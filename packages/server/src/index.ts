export { createLogger, type LogFields, type Logger, type LoggerOptions } from './logging/logger.js';
export { type ListenAddress, printListenAddress } from './options/listen-address.js';
export {
  COMPLETION_SHELLS,
  type ProgramFlag,
  printCompletions,
} from './options/print-completions.js';
export { printOptionHelp, printSettings } from './options/print-options.js';
export {
  type Environment,
  type OptionsReading,
  readServerOptions,
} from './options/read-server-options.js';
export type {
  LogLevelName,
  OptionError,
  OptionSetting,
  ServerOptions,
} from './options/server-options.js';
export { createServer, type NervixServer, type ServerAddresses } from './server.js';
