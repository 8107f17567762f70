import { describe, expect, test } from 'vitest';
import { OPTION_SPECS, variableOf } from '../../src/options/option-table.ts';
import { printOptionHelp, printSettings } from '../../src/options/print-options.ts';
import {
  type Environment,
  type OptionsReading,
  readServerOptions,
} from '../../src/options/read-server-options.ts';
import type { OptionError, ServerOptions } from '../../src/options/server-options.ts';

function accepted(argv: string[], env: Environment = {}): ServerOptions {
  const reading = readServerOptions(argv, env);
  if (reading.kind === 'refused') throw new Error(JSON.stringify(reading.error));
  return reading.options;
}

function refused(argv: string[], env: Environment = {}): OptionError {
  const reading: OptionsReading = readServerOptions(argv, env);
  if (reading.kind === 'ok') throw new Error('the options were accepted');
  return reading.error;
}

describe('defaults', () => {
  test('CL-115: no option at all is the single-node profile on loopback', () => {
    expect(accepted([])).toEqual({
      addr: { host: '127.0.0.1', port: 47_391 },
      sessionCompression: false,
      sessionKeepaliveMs: 20_000,
      sessionFrameLimit: 4_194_304,
      sessionTransferLimit: 67_108_864,
      httpListenAddr: { host: '127.0.0.1', port: 8080 },
      httpsListenAddr: { host: '127.0.0.1', port: 8443 },
      httpMaxBodyBytes: 32 * 1024 * 1024,
      observabilityListenAddr: { host: '127.0.0.1', port: 9090 },
      allowUnauthenticatedListeners: false,
      log: 'info',
      logFormat: 'json',
      clusterId: 'default',
      nodeId: 'node-1',
      defaultUser: 'default',
      memoryPressureCheckIntervalMs: 500,
      memoryPressureResumeJitterMs: 1_000,
      dbPath: './.nervix-db',
      resourceMaxArchiveBytes: 4_294_967_296,
      resourceMaxExtractedBytes: 17_179_869_184,
      resourceMaxFileCount: 1_000_000,
      secretProvider: 'store',
      entityGateDeadlineMs: 60_000,
      drainTimeoutMs: 30_000,
      shutdownTimeoutMs: 50_000,
      commandRetryValidityMs: 900_000,
      commandExecutionCapacity: 65_536,
      transactionIdleTimeoutMs: 900_000,
      transactionTombstoneRetentionMs: 900_000,
      transactionMaxStatements: 256,
      transactionMaxSourceBytes: 1_048_576,
      transactionMaxOpen: 1024,
      ingestGroupMaxMessages: 1024,
      ingestGroupIdleMs: 5,
      branchScanIntervalMs: 30_000,
      consensusThread: false,
      raftSnapshotEntryThreshold: 10_000,
      raftSnapshotByteThreshold: 64 * 1024 * 1024,
      raftCoveredLogEntriesRetained: 1000,
      raftCoveredLogBytesRetained: 64 * 1024 * 1024,
    });
  });

  test('CL-106: a printed default is read back as the same value', () => {
    for (const spec of OPTION_SPECS) {
      if (spec.defaultText === null) continue;
      const read = spec.type.read(spec.defaultText);
      expect(read.kind, spec.name).toBe('ok');
      if (read.kind === 'ok') {
        expect(spec.type.read(spec.type.print(read.value)), spec.name).toEqual(read);
      }
    }
  });
});

describe('CL-106: where a value comes from', () => {
  test('a flag wins over the environment, which wins over the default', () => {
    const env = { NERVIX_NODE_ID: 'from-env' };
    expect(accepted([], env).nodeId).toBe('from-env');
    expect(accepted(['--node-id', 'from-flag'], env).nodeId).toBe('from-flag');
  });

  test('a flag takes its value behind = or as the next argument, and the last one counts', () => {
    expect(accepted(['--log=warn']).log).toBe('warn');
    expect(accepted(['--log', 'warn', '--log', 'debug']).log).toBe('debug');
  });

  test('every flag has its variable', () => {
    expect(variableOf('http-max-body-bytes')).toBe('NERVIX_HTTP_MAX_BODY_BYTES');
    expect(accepted([], { NERVIX_HTTP_MAX_BODY_BYTES: '1MiB' }).httpMaxBodyBytes).toBe(1_048_576);
  });

  test('variables of other programs are left alone', () => {
    expect(accepted([], { NERVIX_SERVER: 'http://127.0.0.1:1', PATH: '/bin' }).nodeId).toBe(
      'node-1',
    );
  });

  test.each([
    [['--authority', 'embedded'], {}],
    [[], { NERVIX_AUTHORITY: 'embedded' }],
  ])('the single-node authority may be named: %j %j', (argv, env) => {
    expect(accepted(argv, env).nodeId).toBe('node-1');
  });
});

describe('CL-106: values that are read', () => {
  test.each<[string[], Partial<ServerOptions>]>([
    [['--addr', '127.0.0.1:0'], { addr: { host: '127.0.0.1', port: 0 } }],
    [['--addr', '[::1]:5'], { addr: { host: '::1', port: 5 } }],
    [['--addr', '0.0.0.0:5'], { addr: { host: '0.0.0.0', port: 5 } }],
    [['--http-listen-addr', 'localhost:0'], { httpListenAddr: { host: 'localhost', port: 0 } }],
    [['--http-listen-addr', '127.9.9.9:0'], { httpListenAddr: { host: '127.9.9.9', port: 0 } }],
    [
      ['--http-listen-addr', '0.0.0.0:80', '--allow-unauthenticated-listeners'],
      { httpListenAddr: { host: '0.0.0.0', port: 80 }, allowUnauthenticatedListeners: true },
    ],
    [['--drain-timeout', '1m30s'], { drainTimeoutMs: 90_000 }],
    [
      ['--memory-high-watermark', '2GiB', '--memory-low-watermark', '1GiB'],
      { memoryHighWatermark: 2 ** 31, memoryLowWatermark: 2 ** 30 },
    ],
    [['--ingest-group-idle', '500us'], { ingestGroupIdleMs: 0.5 }],
    [['--transaction-max-source-bytes', '64KiB'], { transactionMaxSourceBytes: 65_536 }],
    [['--transaction-max-source-bytes', '512'], { transactionMaxSourceBytes: 512 }],
    [['--raft-covered-log-entries-retained', '0'], { raftCoveredLogEntriesRetained: 0 }],
    [['--init-default-user-password', 's3cret'], { initDefaultUserPassword: 's3cret' }],
  ])('%j', (argv, expected) => {
    expect(accepted(argv)).toMatchObject(expected);
  });
});

describe('CL-106: values that are refused, naming the option', () => {
  test.each<[string[], Environment, string, RegExp]>([
    [['--addr', '127.0.0.1'], {}, '--addr', /host:port/],
    [['--addr', ':80'], {}, '--addr', /host/],
    [['--addr', '127.0.0.1:65536'], {}, '--addr', /above 65535/],
    [['--addr', '::1:80'], {}, '--addr', /host:port/],
    [['--addr', '[127.0.0.1]:80'], {}, '--addr', /IPv6/],
    [['--addr', 'http://127.0.0.1:80'], {}, '--addr', /host:port/],
    [[], { NERVIX_ADDR: 'x' }, 'NERVIX_ADDR', /host:port/],
    [['--drain-timeout', '30'], {}, '--drain-timeout', /number expected/],
    [['--drain-timeout', '0s'], {}, '--drain-timeout', /longer than zero/],
    [['--drain-timeout', '30d'], {}, '--drain-timeout', /24 days/],
    [['--drain-timeout', '5 parsecs'], {}, '--drain-timeout', /'5 parsecs'/],
    [['--http-max-body-bytes', '0'], {}, '--http-max-body-bytes', /at least 1/],
    [['--http-max-body-bytes', '2GiB'], {}, '--http-max-body-bytes', /at most/],
    [['--http-max-body-bytes', '-1'], {}, '--http-max-body-bytes', /number/],
    [['--transaction-max-open', '0'], {}, '--transaction-max-open', /from 1 to/],
    [['--transaction-max-open', '1e3'], {}, '--transaction-max-open', /whole number/],
    [['--log', 'loud'], {}, '--log', /one of trace, debug/],
    [['--log-format', 'xml'], {}, '--log-format', /one of json, text/],
    [['--node-id', 'a b'], {}, '--node-id', /invalid character/],
    [['--node-id', ''], {}, '--node-id', /must not be empty/],
    [['--db-path', ''], {}, '--db-path', /must not be empty/],
    [['--db-path', '--log'], {}, '--db-path', /a value is expected/],
    [['--db-path'], {}, '--db-path', /a value is expected/],
    [['--allow-unauthenticated-listeners=maybe'], {}, '--allow-unauthenticated-listeners', /true/],
    [['--nodeid', 'x'], {}, '--nodeid', /unknown option/],
    [['-x'], {}, '-x', /unknown option/],
    [['start'], {}, 'start', /unexpected argument/],
  ])('%j %j', (argv, env, option, message) => {
    const error = refused(argv, env);
    expect(error.option).toBe(option);
    expect(error.message).toMatch(message);
  });

  test.each<[string[], string]>([
    [['--memory-high-watermark', '1GiB'], '--memory-high-watermark'],
    [['--secret-provider', 'file'], '--secret-provider'],
    [['--secret-provider', 'resource'], '--secret-provider'],
    [['--secret-dir', '/s'], '--secret-dir'],
    [['--secret-provider', 'env', '--secret-dir', '/s'], '--secret-dir'],
    [['--memory-low-watermark', '1GiB'], '--memory-low-watermark'],
    [
      ['--memory-high-watermark', '1GiB', '--memory-low-watermark', '1GiB'],
      '--memory-low-watermark',
    ],
    [['--memory-pressure-check-interval', '0s'], '--memory-pressure-check-interval'],
  ])('RT-81: watermarks that cannot work are refused: %j', (argv, option) => {
    expect(refused(argv).option).toBe(option);
  });

  test.each<[string[], string]>([
    [['--session-frame-limit', '1023'], '--session-frame-limit'],
    [['--session-frame-limit', '257MiB'], '--session-frame-limit'],
    [['--session-transfer-limit', '2MiB'], '--session-transfer-limit'],
    [['--session-keepalive', 'never'], '--session-keepalive'],
    [['--session-keepalive', '0bananas'], '--session-keepalive'],
  ])('CL-14: limits of sessions that cannot work are refused: %j', (argv, option) => {
    expect(refused(argv).option).toBe(option);
  });

  test('CL-22: a keepalive of 0 is none', () => {
    expect(accepted(['--session-keepalive', '0']).sessionKeepaliveMs).toBe(0);
    expect(accepted(['--session-keepalive', '0s']).sessionKeepaliveMs).toBe(0);
    expect(accepted(['--session-keepalive', '5s']).sessionKeepaliveMs).toBe(5_000);
  });

  test('two listeners cannot have one address, except for port 0', () => {
    const error = refused(['--http-listen-addr', '127.0.0.1:47391']);
    expect(error).toMatchObject({ option: '--http-listen-addr' });
    const both = ['--addr', '127.0.0.1:0', '--http-listen-addr', '127.0.0.1:0'];
    expect(accepted(both).addr.port).toBe(0);
  });

  test.each(['--http-listen-addr', '--https-listen-addr', '--observability-listen-addr'])(
    'CL-115: %s beyond loopback needs the explicit permission',
    (flag) => {
      for (const host of ['0.0.0.0', '[::]', '192.168.1.4', 'node.example', '[::ffff:10.0.0.1]']) {
        const error = refused([flag, `${host}:7`]);
        expect(error.option).toBe(flag);
        expect(error.message).toContain('--allow-unauthenticated-listeners');
        const env = { NERVIX_ALLOW_UNAUTHENTICATED_LISTENERS: 'true' };
        expect(readServerOptions([flag, `${host}:7`], env).kind).toBe('ok');
      }
    },
  );

  const singleNode = 'this release runs the single-node profile only';
  const tls = 'TLS is not in this release';
  test.each<[reason: string, ...names: string[]]>([
    [
      singleNode,
      ...['interconnect-listen-addr', 'interconnect-advertise-addr', 'interconnect-tls-ca'],
      ...['interconnect-tls-cert', 'interconnect-tls-key', 'allow-bootstrap', 'replica-count'],
      ...['cluster-bootstrap-host', 'dns-resolver-config', 'dns-hosts-file', 'dns-name-server'],
      ...['node-unavailability-timeout', 'state-replication-interval', 'raft-heartbeat-interval'],
      ...['raft-election-timeout-min', 'raft-election-timeout-max', 'raft-retained-log-cap'],
      ...['authority', 'authority-url', 'authority-credentials-file', 'inventory-repair-interval'],
      ...['evidence-interval', 'evidence-max-age', 'node-os-headroom', 'ack-alive-interval'],
      ...['session-advertise-addr', 'grpc-advertise-addr'],
    ],
    [
      tls,
      ...['session-https-listen-addr', 'session-https-advertise-addr', 'session-tls-cert'],
      ...['session-tls-key', 'web-console-https-listen-addr'],
      ...['web-console-tls-cert', 'web-console-tls-key'],
      ...['grpc-https-listen-addr', 'grpc-https-advertise-addr', 'session-mode', 'grpc-mode'],
    ],
    [
      'the web console is not in this release',
      ...['web-console-listen-addr', 'web-console-advertise-addr'],
    ],
    [
      'export of traces is not in this release',
      ...['otel-enabled', 'otel-otlp-endpoint', 'otel-service-name', 'otel-trace-sample-ratio'],
    ],
    ['the audit log is not in this release', 'audit-sink'],
    ['roles and rights are not in this release', 'default-role'],
    ['everything temporary lies in the folder of --db-path', 'temp-dir'],
    ['backup and restore are not in this release', 'restore-staging-max-bytes'],
    [
      'WASM processors are not in this release',
      ...['wasm-checkpoint-timeout', 'wasm-guest-buffer-bytes'],
    ],
    [
      'connectors that reconnect are not in this release',
      ...['reconnect-backoff-min', 'reconnect-backoff-max'],
    ],
    ['stored state of processors is not in this release', 'state-snapshot-interval'],
  ])('"%s" is said of what it is true of', (reason, ...names) => {
    for (const name of names) {
      expect(refused([`--${name}=raft`])).toEqual({ option: `--${name}`, message: reason });
      const error = refused([], { [variableOf(name)]: 'raft' });
      expect(error).toEqual({ option: variableOf(name), message: reason });
    }
  });

  test('CL-107: an older name of a session setting is not passed over', () => {
    expect(refused([], { NERVIX_GRPC_MODE: 'https' }).option).toBe('NERVIX_GRPC_MODE');
  });
});

describe('what is shown of options', () => {
  test('CL-106: printed settings hold every value in force and no secret', () => {
    const reading = readServerOptions(['--log', 'warn'], {
      NERVIX_INIT_DEFAULT_USER_PASSWORD: 'canary-4711',
      NERVIX_NODE_ID: 'node-9',
    });
    if (reading.kind === 'refused') throw new Error('refused');
    const printed = printSettings(reading.settings);
    expect(printed).toContain('--log=warn  # flag\n');
    expect(printed).toContain('--node-id=node-9  # env\n');
    expect(printed).toContain('--addr=127.0.0.1:47391  # default\n');
    expect(printed).toContain('--init-default-user-password=<redacted>  # env\n');
    expect(printed).not.toContain('canary-4711');
  });

  test('a refused secret is not quoted', () => {
    expect(refused(['--init-default-user-password', '']).message).not.toContain("''");
  });

  test('CL-106: the help names each flag, its variable and default, and hides the password', () => {
    const help = printOptionHelp();
    expect(help).toContain('--drain-timeout <duration>');
    expect(help).toContain('[NERVIX_DRAIN_TIMEOUT, 30s]');
    expect(help).not.toContain('init-default-user-password');
  });
});
