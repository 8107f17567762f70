import type { CreateProjectStatement, ProjectOperation, Statement } from '@nervix/model';
import { keywords } from '../../tokens.js';
import { type GrammarHost, label, type Rule } from '../grammar-host.js';

const K = keywords('PROJECT', 'DOMAIN', 'ADD', 'DROP', 'RENAME', 'TO');

const NAME = label('project_name');
const PROJECT = label('ref:project');
const DOMAIN = label('ref:domain');
const NO_DOMAINS: readonly string[] = Object.freeze([]);

export interface ProjectRules {
  /** `PROJECT …` of CREATE. */
  readonly create: Rule<Omit<CreateProjectStatement, 'ifNotExists'>>;
  /** `PROJECT …` of ALTER. */
  readonly alter: Rule<Statement>;
}

/** CREATE and ALTER of projects. */
export function defineProjects(g: GrammarHost): ProjectRules {
  const operation = defineOperation(g);
  const create = g.rule('project', (): Omit<CreateProjectStatement, 'ifNotExists'> => {
    g.take(K.PROJECT);
    const name = g.name(NAME);
    const domains = g.maybe(0, () => {
      g.take(K.DOMAIN);
      return g.commaList(0, () => g.name(DOMAIN));
    });
    return { kind: 'create_project', name, domains: domains ?? NO_DOMAINS };
  });
  const alter = g.rule('alterProject', (): Statement => {
    g.take(K.PROJECT);
    const name = g.name(PROJECT);
    return { kind: 'alter_project', name, operations: g.commaList(0, () => g.call(operation)) };
  });
  return { create, alter };
}

function defineOperation(g: GrammarHost): Rule<ProjectOperation> {
  const takeDomain = () => {
    g.take(K.DOMAIN);
    return g.name(DOMAIN);
  };
  return g.rule('projectOperation', () =>
    g.choose<ProjectOperation>(0, [
      {
        ALT: () => {
          g.take(K.ADD);
          return Object.freeze({ op: 'add_domain', domain: takeDomain() });
        },
      },
      {
        ALT: () => {
          g.take(K.DROP);
          return Object.freeze({ op: 'drop_domain', domain: takeDomain() });
        },
      },
      {
        ALT: () => {
          g.take(K.RENAME);
          g.take(K.TO);
          return Object.freeze({ op: 'rename', name: g.name(NAME) });
        },
      },
    ]),
  );
}
