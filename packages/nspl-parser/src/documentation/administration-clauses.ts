import { clause, type SharedClause, sharedClause } from './entry.js';

export const PLACEMENT_POLICY: SharedClause = sharedClause('Placement policy', {
  keywords: 'REQUIRE COLOCATION | PREFER COLOCATION | NEUTRAL | SUGGEST SEPARATION',
  summary: 'How close to each other connected nodes of the graph are to run.',
  rules: ['placementPolicy'],
  forms: [
    clause('REQUIRE COLOCATION', 'On one cluster node, always.'),
    clause('PREFER COLOCATION', 'On one cluster node where possible.'),
    clause('NEUTRAL', 'Wherever there is room.'),
    clause('SUGGEST SEPARATION', 'On different cluster nodes where possible.'),
  ],
});

export const GRAPH_MEMBER: SharedClause = sharedClause('Graph member', {
  keywords: '',
  summary: 'A node of the graph that is placed on cluster nodes, by kind and name.',
  rules: ['member'],
});

export const RELOCATION_SELECTION: SharedClause = sharedClause('Relocation selection', {
  keywords: 'FROM',
  summary: 'What moves: a list of members, or everything on the ways from some members to others.',
  rules: ['relocation'],
  forms: [
    clause('FROM', 'Where the ways begin.', 'only what is listed moves'),
    clause('TO', 'Where the ways end. Stands if `FROM` does.'),
    clause('ONTO NODE', 'The cluster node to move to.'),
    clause('FOLLOW PREFERENCES', 'Takes along what placement prefers on the same node.'),
    clause('IGNORE PREFERENCES', 'Moves no more than it has to.'),
    clause(
      'FOR',
      'Overrides the strategy for a member and what must stay with it.',
      'no exceptions',
    ),
  ],
});

export const PROCESSOR_OPERATION: SharedClause = sharedClause('Processor operation', {
  keywords: '',
  summary: 'What every `ALTER` of a processor can do.',
  rules: ['processorAddition', 'removal', 'change', 'processorReplacement'],
});

export const PLANNED_STATEMENT: SharedClause = sharedClause('Planned statement', {
  keywords: '',
  summary: 'The statements that can be planned: those that change something.',
  rules: ['planned'],
});

export const OUTPUT_FORMAT: SharedClause = sharedClause('Format', {
  keywords: 'FORMAT',
  summary: 'The form of the answer.',
  omitted: '`TEXT`',
  rules: [],
  forms: [clause('TEXT', 'Lines for people.'), clause('JSON', 'A document for programs.')],
});

export const ROW_FILTER: SharedClause = sharedClause('Filter list', {
  keywords: 'WHERE',
  summary: 'Narrows the answer to entries whose fields have these values.',
  omitted: 'all entries',
  rules: ['literalBindings'],
});

export const LIMIT: SharedClause = sharedClause('Limit', {
  keywords: 'LIMIT',
  summary: 'Most entries in the answer.',
  omitted: 'no limit is asked for',
  rules: ['recordLimit'],
});

export const SCOPE: SharedClause = sharedClause('Scope', {
  keywords: 'ON',
  summary: 'What rights, rules or limits apply to.',
  rules: ['scope'],
  forms: [
    clause('CLUSTER', 'Everything.'),
    clause('PROJECT', 'The domains of a project.'),
    clause('DOMAIN', 'One domain.'),
    clause('POOL', 'The nodes of a pool.'),
    clause('NODE', 'One cluster node.'),
    clause('OPERATION', 'One operation, by its id.'),
    clause('IN DOMAIN', 'One member of the graph, or one resource, of a domain.'),
  ],
});

export const CAPABILITIES: SharedClause = sharedClause('Capabilities', {
  keywords: 'CAPABILITIES',
  summary: 'A list of rights.',
  rules: ['capabilities', 'capability'],
  forms: [
    clause('READ', 'Look at models, state and plans.'),
    clause('DESIGN', 'Make plans.'),
    clause('ADMIT', 'Let a plan take effect.'),
    clause('EXECUTE', 'Run statements that change something.'),
    clause('CANCEL', 'Stop operations.'),
    clause('PROMOTE', 'Carry a domain to another.'),
    clause('DRAIN', 'Administer nodes and pools.'),
    clause('POLICY', 'Administer policies, roles and projects, and read the audit.'),
    clause('DESTROY', 'Accept the loss of state.'),
    clause('TAKEOVER', 'Cancel or resolve operations of others.'),
    clause('GRANT', 'Pass on rights one has.'),
    clause('SECRETS', 'Write secrets and read literal ones.'),
  ],
});

export const SETTINGS: SharedClause = sharedClause('Settings', {
  keywords: '',
  summary: 'Quoted keys with values in braces. Which keys there are is fixed; others are refused.',
  rules: ['settings', 'budget', 'policyRules'],
});

export const STATE_LOSS: SharedClause = sharedClause('Accept state loss', {
  keywords: 'ACCEPT STATE LOSS',
  summary:
    'Goes ahead although state that nobody else holds is lost. Stands behind everything else.',
  omitted: 'such a statement is refused',
  rules: [],
});

export const WAIT: SharedClause = sharedClause('Wait', {
  keywords: 'WAIT',
  summary: 'How long to wait for another change of the same things to end. Stands last.',
  omitted: 'such a conflict is refused at once',
  rules: [],
  notes: ['Not inside a transaction, nor inside `PLAN` or `EXPLAIN`.'],
});
