import { isRaftError, isSameMember, type RaftNode, type TcpTransport } from '../../../src/index.ts';
import {
  dropCommand,
  encodeRegisterCommand,
  type ProcessRegisters,
  type RegisterCommand,
} from './register-machine.ts';
import type {
  ProcessMemory,
  ProcessStatus,
  RegisterAnswer,
  RegisterRequest,
} from './register-protocol.ts';
import type { SlowDisk } from './slow-disk.ts';

/** What a process consists of. */
export interface RegisterServiceParts {
  readonly node: RaftNode;
  readonly machine: ProcessRegisters;
  readonly transport: TcpTransport;
  readonly disk: SlowDisk;
  readonly refusals: readonly string[];
}

/** Answers the requests to one process. */
export class RegisterService {
  readonly #parts: RegisterServiceParts;

  constructor(parts: RegisterServiceParts) {
    this.#parts = parts;
  }

  async serve(request: RegisterRequest): Promise<RegisterAnswer> {
    const { id } = request;
    try {
      return { id, ...(await this.#answer(request)) };
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      const isUncertain =
        isRaftError(error, 'RAFT_LEADERSHIP_LOST') ||
        (isRaftError(error, 'RAFT_STORAGE_FAILED') && error.details.isUncertain);
      return isUncertain ? { id, unknown: text } : { id, refused: text };
    }
  }

  async #answer(request: RegisterRequest): Promise<Omit<RegisterAnswer, 'id'>> {
    const { node, machine, transport, disk, refusals } = this.#parts;
    switch (request.op) {
      case 'change':
        return this.#change(request.command);
      case 'read':
        await node.read();
        return { answer: machine.read(request.key), place: Number(machine.publishedIndex) };
      case 'status':
        return { answer: statusOf(node) };
      case 'memory':
        return { answer: measureMemory() };
      case 'refusals':
        return { answer: refusals };
      case 'network':
        return { answer: networkOf(transport) };
      case 'slowDisk':
        disk.delay(request.minMs, request.maxMs);
        return { answer: true };
      case 'credentials':
        transport.reloadCredentials(request.tls);
        return { answer: true };
      case 'drop':
        return { answer: await this.#drop(request.nodeId) };
      case 'activate': {
        const { index } = await node.activateLevel(request.level);
        return { answer: Number(index) };
      }
    }
  }

  async #change(command: RegisterCommand): Promise<Omit<RegisterAnswer, 'id'>> {
    const { index, result } = await this.#parts.node.propose(encodeRegisterCommand(command));
    return { answer: Number(new TextDecoder().decode(result)), place: Number(index) };
  }

  /** First every leader must know that this run of the node is over; then it can be removed. */
  async #drop(nodeId: string): Promise<number> {
    const { node } = this.#parts;
    const configuration = node.status().configuration?.configuration;
    const members = [...(configuration?.voters ?? []), ...(configuration?.learners ?? [])];
    const dropped = members.filter((it) => it.nodeId === nodeId);
    for (const { incarnation } of dropped) await this.#change(dropCommand(nodeId, incarnation));
    await node.changeMembers(dropped.map((member) => ({ kind: 'remove', member })));
    return dropped.length;
  }
}

function statusOf(node: RaftNode): ProcessStatus {
  const status = node.status();
  const { voters, learners, outgoing } = status.configuration?.configuration ?? {
    voters: [],
    learners: [],
    outgoing: [],
  };
  const names = (members: readonly { readonly nodeId: string }[]) => members.map((it) => it.nodeId);
  return {
    role: status.role,
    term: String(status.term),
    leader: status.leader?.nodeId,
    applied: String(status.appliedIndex),
    first: String(status.firstIndex),
    snapshot: String(status.snapshotIndex ?? ''),
    storeId: status.identity.storeId,
    voters: names(voters),
    learners: names(learners),
    isJoint: outgoing.length > 0,
    isVoter: voters.some((it) => isSameMember(it, status.identity)),
    failure: status.failure?.message,
    level: status.level,
  };
}

function networkOf(transport: TcpTransport): unknown {
  const queues = [...transport.queues()].map(([name, { messages }]) => [name, messages]);
  return {
    counters: Object.fromEntries(transport.counters),
    queued: Object.fromEntries(queues),
    connected: transport.connectedPeers().map(({ nodeId, epoch }) => `${nodeId} ${epoch}`),
  };
}

function measureMemory(): ProcessMemory {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heapUsed, external, rss };
}
