import {
  createLogger,
  createServer,
  type Environment,
  type ListenAddress,
  type Logger,
  type NervixServer,
  printListenAddress,
  type ServerOptions,
} from '@nervix/server';
import { readConfig } from './config.js';
import type { StopControl } from './signals.js';
import { releaseYoungGeneration } from './young-generation.js';

/** Exit statuses of the process; a repeated signal has its own. */
export const EXIT: { readonly graceful: 0; readonly failed: 1; readonly badOption: 2 } = {
  graceful: 0,
  failed: 1,
  badOption: 2,
};

/** What the process was started with. */
export interface Invocation {
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env: Environment;
  /** Writes to standard output. */
  print(text: string): void;
  /** Writes to standard error. */
  printError(text: string): void;
  /** Registers what to log of an error that nobody caught, before the process ends by it. */
  onFault(log: (error: unknown) => void): void;
}

/**
 * Runs a node until it is told to stop.
 *
 * @returns the exit status of the process
 */
export async function runNervixd(invocation: Invocation, stop: StopControl): Promise<number> {
  const config = readConfig(invocation.argv, invocation.env);
  switch (config.kind) {
    case 'print':
      invocation.print(config.text);
      return EXIT.graceful;
    case 'refused':
      invocation.printError(config.text);
      return EXIT.badOption;
    case 'run':
      return runNode(config.options, invocation, stop);
  }
}

async function runNode(
  options: ServerOptions,
  { print, onFault }: Invocation,
  stop: StopControl,
): Promise<number> {
  const logger = createLogger({
    level: options.log,
    format: options.logFormat,
    node: options.nodeId,
  });
  onFault((error) => logger.error('the node failed', {}, error));
  stop.configure(logger, options.shutdownTimeoutMs);
  const server = await startServer({ ...options, onInitialPassword }, logger);
  if (server === undefined) return EXIT.failed;
  releaseYoungGeneration();
  print(readyLine(server));
  const ending = await Promise.race([stop.requested, server.failed]);
  const code = await closeServer(server, logger);
  return typeof ending === 'string' ? code : EXIT.failed;

  function onInitialPassword(user: string, password: string): void {
    print(
      `created user '${user}' with password '${password}' ` +
        '(shown once; set NERVIX_INIT_DEFAULT_USER_PASSWORD to choose it)\n',
    );
  }
}

async function startServer(
  options: ServerOptions,
  logger: Logger,
): Promise<NervixServer | undefined> {
  try {
    return await createServer(options, logger);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    logger.error(`the node could not start: ${reason}`, {}, error);
    return undefined;
  }
}

async function closeServer(server: NervixServer, logger: Logger): Promise<number> {
  try {
    const { outcome } = await server.close();
    return outcome === 'Completed' ? EXIT.graceful : EXIT.failed;
  } catch (error) {
    logger.error('the node could not stop cleanly', {}, error);
    return EXIT.failed;
  }
}

function readyLine({ addresses }: NervixServer): string {
  const origin = (address: ListenAddress): string => `http://${printListenAddress(address)}`;
  const { session, http, observability } = addresses;
  return (
    `nervixd ready: session ${origin(session)} data ${origin(http)} ` +
    `observability ${origin(observability)} pid ${process.pid}\n`
  );
}
