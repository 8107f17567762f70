import path from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { MemoryDisk } from '@nervix/consensus';
import { describe, expect } from 'vitest';
import type { UploadReply } from '../../src/resources/resource-uploads.ts';
import { ControlNode, START_MS } from '../support/control-node.ts';
import { CrashPoint } from '../support/crash-point.ts';
import { CrashingFiles } from '../support/resources/crashing-files.ts';
import { pathsBelow, temporaryFolder } from '../support/resources/open-store.ts';
import { inPieces, tarBytes } from '../support/resources/tar-bytes.ts';
import { identityOf } from '../support/users.ts';

const CONTENTS = ['one', 'two', 'three'].map((content) =>
  tarBytes([{ path: 'deep/file', content }]),
);

type End =
  | { readonly kind: 'none' }
  /** The process ends at an operation on files, and the machine loses what is not durable. */
  | { readonly kind: 'files'; readonly operation: number; readonly isDone: boolean }
  /** The process ends at a write of the log. */
  | { readonly kind: 'log'; readonly write: number; readonly isDone: boolean };

type Step =
  | {
      readonly kind: 'upload';
      readonly identity: string;
      readonly content: number;
      readonly end: End;
    }
  /** The body ends early. */
  | { readonly kind: 'cut'; readonly content: number; readonly bytes: number }
  | { readonly kind: 'restart' }
  | { readonly kind: 'collect' };

const end: fc.Arbitrary<End> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: 'none' } as const) },
  fc.record({
    kind: fc.constant('files' as const),
    operation: fc.integer({ min: 1, max: 24 }),
    isDone: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('log' as const),
    write: fc.integer({ min: 1, max: 2 }),
    isDone: fc.boolean(),
  }),
);
const content = fc.nat({ max: CONTENTS.length - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('upload' as const),
      identity: fc.constantFrom('a', 'b', 'c', 'd'),
      content,
      end,
    }),
  },
  fc.record({ kind: fc.constant('cut' as const), content, bytes: fc.nat({ max: 2_000 }) }),
  fc.constant({ kind: 'restart' } as const),
  fc.constant({ kind: 'collect' } as const),
);

/** What must hold of an identity: its archive and, once it was told, its version. */
interface Known {
  readonly content: number;
  readonly version: number | undefined;
}

/** A node that dies and comes back, beside what its user knows. */
class Subject {
  readonly #directory: string;
  readonly #disk = new MemoryDisk();
  readonly #known = new Map<string, Known>();
  #files = new CrashingFiles();
  #point = new CrashPoint();
  #node: ControlNode | undefined;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  get #running(): ControlNode {
    if (this.#node === undefined) throw new Error('the node was not started');
    return this.#node;
  }

  static async open(): Promise<Subject> {
    const directory = path.join(await temporaryFolder(), 'resources');
    const subject = new Subject(directory);
    await subject.#start();
    await subject.#running.run('CREATE DOMAIN d;');
    await subject.#running.run('CREATE RESOURCE r;');
    return subject;
  }

  async step(taken: Step): Promise<void> {
    switch (taken.kind) {
      case 'upload':
        await this.#upload(taken);
        break;
      case 'cut':
        await this.#cut(taken);
        break;
      case 'restart':
        await this.#restart();
        break;
      case 'collect':
        await this.#running.context.resources.collect();
        break;
    }
    await this.#check();
  }

  async close(): Promise<void> {
    await this.#running.close();
  }

  async #upload({ identity, content: index, end: planned }: Extract<Step, { kind: 'upload' }>) {
    if (planned.kind === 'files') this.#files.arm(planned.operation, planned.isDone);
    if (planned.kind === 'log') this.#point.arm(planned.write, planned.isDone);
    const reply = await this.#send(identity, CONTENTS[index] ?? Buffer.alloc(0)).catch(
      () => undefined,
    );
    const known = this.#known.get(identity);
    if (this.#files.isOver || this.#point.isReached) {
      // Whatever became of it: it is this archive, or the one before.
      if (known === undefined) await this.#restartUnsure(identity, index);
      else await this.#restart();
      return;
    }
    this.#files.arm(Number.POSITIVE_INFINITY, false);
    this.#point.arm(Number.POSITIVE_INFINITY, false);
    if (known !== undefined && known.content !== index) {
      expect(reply).toMatchObject({ kind: 'refused', error: { code: 'DIGEST_CONFLICT' } });
      return;
    }
    if (reply?.kind !== 'installed') throw new Error(`not installed: ${JSON.stringify(reply)}`);
    const { version } = reply.value;
    if (known?.version !== undefined) expect(version).toBe(known.version);
    this.#known.set(identity, { content: index, version });
  }

  /** The archive was admitted or it was not; the store of records knows which. */
  async #restartUnsure(identity: string, index: number): Promise<void> {
    await this.#restart();
    const upload = { owner: identityOf('ada'), identity };
    if (this.#running.state.resources.upload('d', 'r', upload) === undefined) return;
    this.#known.set(identity, { content: index, version: undefined });
  }

  async #cut({ content: index, bytes }: Extract<Step, { kind: 'cut' }>): Promise<void> {
    const whole = CONTENTS[index] ?? Buffer.alloc(0);
    const reply = await this.#send('cut', whole.subarray(0, bytes), whole.length);
    expect(reply).toMatchObject({ kind: 'refused', error: { code: 'SIZE_MISMATCH' } });
  }

  #send(identity: string, bytes: Buffer, announced = bytes.length): Promise<UploadReply> {
    const body = inPieces(bytes, 600);
    const request = { owner: identityOf('ada'), domain: 'd', resource: 'r', identity };
    return this.#running.plane.upload({ ...request, bytes: announced, body });
  }

  async #restart(): Promise<void> {
    this.#files.losePower();
    this.#disk.crash();
    await this.#running.close().catch(() => undefined);
    await this.#start();
    await this.#running.context.resources.idle();
    expect(await pathsBelow(path.join(this.#directory, 'staging'))).toEqual([]);
  }

  async #start(): Promise<void> {
    this.#files = new CrashingFiles();
    this.#point = new CrashPoint();
    this.#node = await ControlNode.open({
      disk: this.#disk,
      clock: { nowMs: START_MS },
      intercept: this.#point.intercept,
      resources: { directory: this.#directory, files: this.#files },
    });
  }

  /** Numbers are given once and in order, and every version is whole and the archive it was. */
  async #check(): Promise<void> {
    const { resources } = this.#running.state;
    const versions = resources.versions('d', 'r');
    expect(versions.map(({ version }) => version)).toEqual(versions.map((_, index) => index + 1));
    expect(resources.resource('d', 'r')?.nextVersion).toBe(versions.length + 1);
    expect(versions).toHaveLength(this.#known.size);
    for (const { version, state } of versions) {
      expect(state).toBe('completed');
      const opened = await this.#running.context.resources.installed.open('d', 'r', version);
      if (opened.kind !== 'installed') throw new Error(opened.reason);
    }
    for (const [identity, { content: index, version }] of this.#known) {
      const upload = resources.upload('d', 'r', { owner: identityOf('ada'), identity });
      if (version !== undefined) expect(upload?.version).toBe(version);
      const opened = await this.#running.context.resources.installed.open(
        'd',
        'r',
        upload?.version ?? 0,
      );
      if (opened.kind !== 'installed') throw new Error(opened.reason);
      const bytes = await opened.readFile('deep/file');
      expect(bytes?.toString()).toBe(['one', 'two', 'three'][index]);
    }
    await this.#running.context.resources.collect();
    const digests = new Set(versions.map(({ archiveDigest }) => archiveDigest));
    const objects = await pathsBelow(path.join(this.#directory, 'objects'));
    expect(new Set(objects.map((name) => name.split('/')[0]))).toEqual(digests);
  }
}

describe('uploads through crashes (CP-123, CL-66)', () => {
  test.prop([fc.array(step, { minLength: 1, maxLength: 12 })], {
    numRuns: Number(process.env['PROP_RUNS'] ?? 30),
  })(
    'what was told stays, what was cut off is whole or absent, and numbers are given once',
    async (steps) => {
      const subject = await Subject.open();
      try {
        for (const taken of steps) await subject.step(taken);
      } finally {
        await subject.close();
      }
    },
    120_000,
  );
});
