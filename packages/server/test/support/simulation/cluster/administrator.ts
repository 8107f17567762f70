import assert from 'node:assert/strict';
import type { ControlNode } from '../../control-node.ts';
import type { Actor, Answer, CallerTransaction, Request } from '../caller.ts';
import { exactly } from '../change-judgement.ts';
import type { SeededRandom } from '../seeded-random.ts';

const USERS = ['una', 'udo', 'uwe'] as const;
const NODES = ['n1', 'n2', 'n3'] as const;
const DOMAIN = 'admin';

type Work = Pick<Request, 'query'> & {
  readonly judge: (answer: Answer) => void;
  readonly asked?: Request['asked'];
};

/** Who keeps users and nodes: creates and drops, cordons and drains, and knows what is left. */
export class Administrator implements Actor {
  readonly domain: string = DOMAIN;
  readonly transaction: CallerTransaction | undefined = undefined;
  unanswered: Request | undefined;
  #isFounded = false;
  readonly #users = new Set<string>();
  /** Open transactions by the user whose they are. */
  readonly #open = new Map<string, string>();
  readonly #reverted = new Set<string>();
  #cordoned: string | undefined;

  /** Whether a node may be cordoned now, or may have been a moment ago. */
  get mayWait(): boolean {
    return this.#cordoned !== undefined || this.unanswered !== undefined;
  }

  nextRequest(random: SeededRandom, nowMs: number): Request {
    const execution_reference = random.reference(nowMs);
    const { query, judge, asked = {} } = this.#next(random);
    const place = { execution_reference, domain: null, ...asked };
    return { kind: 'probe', domain: DOMAIN, changes: [], query, asked: place, judge };
  }

  #next(random: SeededRandom): Work {
    if (!this.#isFounded) {
      return completing(`CREATE DOMAIN ${DOMAIN};`, `created domain '${DOMAIN}'`, () => {
        this.#isFounded = true;
      });
    }
    // What is cordoned is not left so for long: most of what runs has to have somewhere to go.
    if (this.#cordoned !== undefined && random.chance(0.4)) return this.#uncordon(this.#cordoned);
    return random.chance(0.6) ? this.#ofUsers(random) : this.#ofNodes(random);
  }

  #ofUsers(random: SeededRandom): Work {
    const user = random.pick(USERS);
    const isThere = this.#users.has(user);
    const dice = random.below(10);
    if (dice < 4) return this.#create(user, random.chance(0.4));
    if (dice < 6) {
      const query = `ALTER USER ${user} SET PASSWORD 'changed';`;
      return isThere ? completing(query, `altered user '${user}'`) : unknown(query, user);
    }
    if (dice < 8 && isThere && !this.#open.has(user)) {
      const judge = ({ isCompleted, message, transaction }: Answer): void => {
        assert.equal(isCompleted, true, message);
        this.#open.set(user, transaction?.id ?? '');
      };
      return { query: 'BEGIN;', judge, asked: { domain: DOMAIN, user } };
    }
    return isThere ? this.#drop(user) : unknown(`DROP USER ${user};`, user);
  }

  #create(user: string, isEnsured: boolean): Work {
    const query = `CREATE ${isEnsured ? 'IF NOT EXISTS ' : ''}USER ${user} WITH PASSWORD 'first';`;
    const existing = `user '${user}' already exists`;
    if (!this.#users.has(user)) {
      return completing(query, `created user '${user}'`, () => this.#users.add(user));
    }
    return isEnsured ? completing(query, existing) : refused(query, 'ALREADY_EXISTS', existing);
  }

  /** CP-143: who goes leaves no open transaction, and the last one does not go. */
  #drop(user: string): Work {
    const query = `DROP USER ${user};`;
    if (this.#users.size === 1) {
      const told = `user '${user}' is the last one with every capability on the cluster`;
      return refused(query, 'IN_USE', told);
    }
    return completing(query, `dropped user '${user}'`, () => {
      this.#users.delete(user);
      const open = this.#open.get(user);
      if (open !== undefined) this.#reverted.add(open);
      this.#open.delete(user);
    });
  }

  #ofNodes(random: SeededRandom): Work {
    const node = random.pick(NODES);
    const dice = random.below(10);
    if (dice === 0) {
      const told = `failed to drop node '${node}': removing members is not supported by this release`;
      return refused(`DROP NODE ${node};`, 'UNSUPPORTED_CAPABILITY', told);
    }
    if (dice === 1) {
      const verb = random.pick(['CORDON', 'UNCORDON', 'DROP']);
      const told = `failed to ${verb.toLowerCase()} node 'n9': node 'n9' is not a raft member`;
      return refused(`${verb} NODE n9;`, 'NOT_FOUND', told);
    }
    if (this.#cordoned !== undefined && this.#cordoned !== node) return this.#uncordon(node);
    if (dice < 5) return this.#drain(node);
    return completing(`CORDON NODE ${node};`, `cordoned node '${node}'`, () => {
      this.#cordoned = node;
    });
  }

  #uncordon(node: string): Work {
    return completing(`UNCORDON NODE ${node};`, `uncordoned node '${node}'`, () => {
      if (this.#cordoned === node) this.#cordoned = undefined;
    });
  }

  /** CS-171: its cordon stays, whatever becomes of the rest. */
  #drain(node: string): Work {
    const query = `DRAIN NODE ${node};`;
    const judge = ({ isCompleted, message }: Answer): void => {
      const told = isCompleted
        ? /^drained node '/u
        : /^cannot drain node '|moving work between cluster nodes|^drain/u;
      assert.match(message, told, query);
      this.#cordoned = node;
    };
    return { query, judge };
  }

  learn({ judge }: Request, answer: Answer): void {
    judge?.(answer);
  }

  check({ state }: ControlNode): void {
    if (this.unanswered !== undefined) return;
    const users = state.users().map(({ name }) => name);
    assert.deepEqual([...users].sort(), [...this.#users].sort(), 'users');
    const cordoned = NODES.filter((node) => state.isCordoned(node));
    const expected = this.#cordoned === undefined ? [] : [this.#cordoned];
    assert.deepEqual(cordoned, expected, 'CS-171: cordons');
    for (const [user, id] of this.#open) {
      const { owner, state: found } = state.transaction(id) ?? {};
      // Time alone ends it, too.
      if (found !== undefined) assert.equal(owner?.user, user);
      if (found !== undefined) assert(found === 'OPEN' || found === 'EXPIRED', `${id}: ${found}`);
    }
    for (const id of this.#reverted) {
      const found = state.transaction(id)?.state ?? 'REVERTED';
      assert(found === 'REVERTED' || found === 'EXPIRED', `CP-143: ${id} is ${found}`);
    }
  }
}

function completing(query: string, told: string, learn: () => unknown = () => undefined): Work {
  const judge = ({ isCompleted, message }: Answer): void => {
    assert.equal(isCompleted, true, `${query}: ${message}`);
    assert.match(message, exactly(told));
    learn();
  };
  return { query, judge };
}

function refused(query: string, code: string, told: string): Work {
  const judge = (answer: Answer): void => {
    assert.equal(answer.code, code, `${query}: ${answer.message}`);
    assert.match(answer.message, exactly(told));
  };
  return { query, judge };
}

function unknown(query: string, user: string): Work {
  return refused(query, 'NOT_FOUND', `user '${user}' does not exist`);
}
