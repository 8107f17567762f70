import { describe, expect, test } from 'vitest';
import type { ProbeOutcome } from '../../src/cluster/availability.ts';
import { ClusterHealth, type ConfiguredMember } from '../../src/cluster/cluster-health.ts';

const LIMITS = { unavailableAfterMs: 10_000, staleAfterMs: 3_000 };

class Observer {
  nowMs = 1_000_000;
  configured: readonly ConfiguredMember[] = ['n1', 'n2', 'n3'].map((node) => ({
    node,
    isVoter: true,
  }));
  readonly health = new ClusterHealth({
    local: { node: 'n1', incarnation: 'n1/1' },
    limits: LIMITS,
    configured: () => this.configured,
    nowMs: () => this.nowMs,
  });

  probe(node: string, outcome: ProbeOutcome, incarnation: string | undefined = `${node}/1`): void {
    const { nowMs: atMs } = this;
    this.health.observe({ node, incarnation, outcome, isTerminating: false, atMs });
  }

  /** Seconds in which a member answers, or does not. */
  pass(seconds: number, outcomes: Readonly<Record<string, ProbeOutcome>>): void {
    for (let second = 0; second < seconds; second += 1) {
      this.nowMs += 1_000;
      for (const [node, outcome] of Object.entries(outcomes)) this.probe(node, outcome);
    }
  }

  get required(): string {
    return this.health
      .required()
      .map(({ node, incarnation }) => `${node}=${incarnation}`)
      .join(' ');
  }

  get live(): string {
    return this.health
      .members()
      .map(({ name, isLive }) => (isLive ? name : `(${name})`))
      .join(' ');
  }
}

describe('CP-8, CS-153, CS-154: who has to take part', () => {
  test('is everybody not known to have failed, learners and the observer included', () => {
    const observer = new Observer();
    observer.pass(1, { n2: 'healthy' });
    expect(observer.required).toBe('n1=n1/1 n2=n2/1 n3=undefined');
    observer.pass(11, { n2: 'healthy', n3: 'failure' });
    expect(observer.required).toBe('n1=n1/1 n2=n2/1');
    observer.configured = [...observer.configured, { node: 'n4', isVoter: false }];
    expect(observer.required, 'a learner that joins').toBe('n1=n1/1 n2=n2/1 n4=undefined');
    observer.configured = [{ node: 'n2', isVoter: true }];
    expect(observer.required, 'the local process finishes its own work').toBe('n1=n1/1 n2=n2/1');
  });

  test('a process that was started again is another member, whatever the former one did', () => {
    const observer = new Observer();
    observer.pass(11, { n2: 'failure', n3: 'healthy' });
    expect(observer.required).toBe('n1=n1/1 n3=n3/1');
    observer.probe('n2', 'healthy', 'n2/2');
    expect(observer.required).toBe('n1=n1/1 n2=n2/2 n3=n3/1');
  });

  test('failures of another process do not count for the one that followed it', () => {
    const observer = new Observer();
    observer.pass(9, { n2: 'failure', n3: 'healthy' });
    observer.probe('n2', 'failure', 'n2/2');
    observer.nowMs += 2_000;
    expect(observer.health.availabilityOf('n2')).toBe('failing');
  });

  test('CS-152: what is merely not known takes nobody out', () => {
    const observer = new Observer();
    observer.pass(11, { n2: 'capacity_exhausted' });
    expect(observer.live).toBe('n1 n2 n3');
    observer.pass(11, { n2: 'failure' });
    expect(observer.live).toBe('n1 (n2) n3');
    observer.nowMs += 3_001;
    expect(observer.live, 'stale').toBe('n1 n2 n3');
  });

  test('PS-19: who was never seen receives nothing, and keeps what it has', () => {
    const observer = new Observer();
    const [, unseen] = observer.health.members();
    expect(unseen).toMatchObject({ name: 'n2', isLive: true, incarnation: { observed: null } });
  });
});

describe('CP-128, CS-164: the first ten seconds of a process', () => {
  test('without a sight of every voter it decides nothing', () => {
    const observer = new Observer();
    observer.pass(1, { n2: 'healthy' });
    expect(observer.health.maySchedule()).toBe(false);
    observer.pass(8, { n2: 'healthy', n3: 'failure' });
    expect(observer.health.maySchedule(), 'dead at first sight').toBe(false);
    observer.pass(1, { n2: 'healthy' });
    expect(observer.health.maySchedule(), 'its time is over').toBe(true);
  });

  test('ends with the last voter that is seen, of whom any may fail then', () => {
    const observer = new Observer();
    observer.configured = [...observer.configured, { node: 'n4', isVoter: false }];
    observer.pass(1, { n2: 'healthy' });
    observer.pass(1, { n2: 'failure', n3: 'healthy' });
    expect(observer.health.maySchedule()).toBe(true);
    observer.configured = [...observer.configured, { node: 'n5', isVoter: true }];
    expect(observer.health.maySchedule(), 'it does not come back').toBe(true);
  });
});
