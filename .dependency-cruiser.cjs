// The import table of the monorepo as rules. A package may import only what its line names.

const mayImport = {
  model: [],
  consensus: [],
  'nspl-parser': ['model'],
  'nspl-language-server': ['model', 'nspl-parser'],
  scheduler: ['model'],
  protocol: ['model'],
  runtime: ['model'],
  planner: ['model', 'scheduler'],
  client: ['model', 'protocol', 'nspl-parser', 'scheduler', 'planner'],
  server: ['model', 'nspl-parser', 'scheduler', 'planner', 'consensus', 'runtime', 'protocol'],
};

const pure =
  '^packages/((model|nspl-parser|planner|scheduler|protocol)/src|consensus/src/(raft|simulation))/';
const alternatives = (names) => (names.length === 0 ? '(?!)' : `(${names.join('|')})`);

const tableRules = Object.entries(mayImport).map(([name, allowed]) => ({
  name: `imports-of-${name}`,
  severity: 'error',
  comment: `${name} may import of our packages: ${allowed.join(', ') || 'none'}.`,
  from: {
    path: `^packages/${name}/(src|bin)/`,
    // The planner's command line alone may read NSPL text.
    ...(name === 'planner' ? { pathNot: '^packages/planner/src/cli/' } : {}),
  },
  to: {
    path: '^(packages|apps|examples|bench)/',
    pathNot: [`^packages/${name}/`, `^packages/${alternatives(allowed)}/`],
  },
}));

module.exports = {
  forbidden: [
    ...tableRules,
    {
      name: 'imports-of-planner-cli',
      severity: 'error',
      comment: 'The planner command line may import the planner, its dependencies and the parser.',
      from: { path: '^packages/planner/src/cli/' },
      to: {
        path: '^(packages|apps|examples|bench)/',
        pathNot: '^packages/(planner|model|scheduler|nspl-parser)/',
      },
    },
    {
      name: 'imports-of-nervixd',
      severity: 'error',
      comment: 'The application assembles the server and holds nothing else.',
      from: { path: '^apps/nervixd/(src|bin)/' },
      to: {
        path: '^(packages|apps|examples|bench)/',
        pathNot: ['^apps/nervixd/', '^packages/server/'],
      },
    },
    {
      name: 'testkit-is-for-tests',
      severity: 'error',
      comment: 'Nothing that is published may import the test kit.',
      from: { path: '^(packages|apps)/[^/]+/(src|bin)/', pathNot: '^packages/testkit/' },
      to: { path: '^packages/testkit/' },
    },
    {
      name: 'no-deep-imports',
      severity: 'error',
      comment: 'Another package is imported by its name, never by a path into its folder.',
      from: { path: '^(packages|apps|examples)/([^/]+)/' },
      to: {
        path: '^(packages|apps|examples)/[^/]+/',
        pathNot: '^$1/$2/',
        dependencyTypes: ['local'],
        dependencyTypesNot: ['aliased'],
      },
    },
    {
      name: 'pure-packages-without-node',
      severity: 'error',
      comment: 'Pure code runs in a browser and in the simulator: no Node modules.',
      from: { path: pure },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'runtime-opens-sockets-in-connectors-only',
      severity: 'error',
      comment: 'Only the connectors of the data plane may open sockets.',
      from: { path: '^packages/runtime/src/', pathNot: '^packages/runtime/src/connector/' },
      to: { path: '^(node:)?(net|tls|dgram|http|https|http2)$', dependencyTypes: ['core'] },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Modules form no cycle, except among types alone.',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'Every import names a module that exists.',
      from: { pathNot: '/bin/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'declared-dependencies-only',
      severity: 'error',
      comment: 'Published code imports only what its package.json declares as a dependency.',
      from: { path: '^(packages|apps)/[^/]+/src/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
        pathNot: '^(packages|apps)/',
      },
    },
  ],
  options: {
    doNotFollow: { path: '(node_modules|/dist/)' },
    exclude: { path: '(^|/)(dist|coverage)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.tests.json' },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.d.ts'],
    },
  },
};
