import type { ContactAnswer, Transport } from '../../src/index.ts';

/** A transport that reaches nobody; subclasses refuse to do one thing or another. */
export class SilentTransport implements Transport {
  readonly endpoint: string = '127.0.0.1:1';
  isClosed = false;

  async listen(): Promise<string> {
    return this.endpoint;
  }

  async ask(): Promise<ContactAnswer> {
    return { kind: 'silent' };
  }

  start(..._parts: Parameters<Transport['start']>): void {}

  connectedPeers(): ReturnType<Transport['connectedPeers']> {
    return [];
  }

  setPeers(): void {}

  setContacts(): void {}

  send(): void {}

  async sendSnapshot(): Promise<boolean> {
    return false;
  }

  queues(): ReturnType<Transport['queues']> {
    return new Map();
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}
