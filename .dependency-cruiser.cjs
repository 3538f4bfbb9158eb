/** The floors of `tools/floors.cjs` as rules of the import graph; no inline exceptions. */
const { mayImport, engineMayImport, ports, pureFloors } = require('./tools/floors.cjs');

const tests = '\\.test\\.ts$';

const floorRules = Object.entries(mayImport).map(([floor, below]) => ({
  name: `floor-${floor}`,
  severity: 'error',
  from: { path: `^src/${floor}/`, pathNot: tests },
  to: { path: '^src/', pathNot: `^src/(${[floor, ...below].join('|')})/` },
}));

const engineRules = Object.entries(engineMayImport).map(([folder, below]) => ({
  name: `engine-${folder}`,
  severity: 'error',
  from: { path: `^src/engine/${folder}/`, pathNot: tests },
  to: { path: '^src/engine/', pathNot: `^src/engine/(${[folder, ...below].join('|')})/` },
}));

const portRules = Object.entries(ports).map(([folder, files]) => ({
  name: `only-main-chooses-a-${folder}-adapter`,
  severity: 'error',
  from: { path: '^src/', pathNot: [`^src/(main|${folder})/`, tests] },
  to: { path: `^src/${folder}/`, pathNot: `^src/${folder}/(${files.join('|')})\\.ts$` },
}));

module.exports = {
  forbidden: [
    ...floorRules,
    ...engineRules,
    ...portRules,
    {
      name: 'every-folder-has-a-floor',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/(main|${Object.keys(mayImport).join('|')})/` },
      to: {},
    },
    {
      name: 'every-folder-of-the-engine-has-a-floor',
      severity: 'error',
      from: { path: '^src/engine/[^/]+/', pathNot: `^src/engine/(${Object.keys(engineMayImport).join('|')})/` },
      to: {},
    },
    { name: 'no-cycles', severity: 'error', from: { path: '^src/' }, to: { circular: true } },
    { name: 'no-dead-files', severity: 'error', from: { orphan: true, path: '^src/', pathNot: tests }, to: {} },
    {
      name: 'pages-know-no-server',
      severity: 'error',
      from: { path: '^web/', pathNot: tests },
      to: { path: '^src/', pathNot: '^src/(?:client/|base/decimal\\.ts$|http/site-links\\.ts$)' },
    },
    {
      name: 'the-server-knows-no-pages',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^web/' },
    },
    {
      name: 'nobody-imports-a-test',
      severity: 'error',
      from: {},
      to: { path: `(^src/.*${tests})` },
    },
    {
      name: 'the-server-needs-no-test',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { path: '^test/' },
    },
    {
      name: 'the-core-has-no-dependencies',
      severity: 'error',
      from: { path: `^src/(${pureFloors.join('|')})/`, pathNot: tests },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown', 'core'],
        // Pure functions; cryptography is never code of our own.
        pathNot: 'node_modules/@noble/hashes/',
      },
    },
    {
      name: 'the-server-needs-no-development-package',
      severity: 'error',
      // Who takes the hooks of vitest has it.
      from: { path: '^src/', pathNot: [tests, '^src/testing/vitest.ts$'] },
      to: { dependencyTypes: ['npm-dev'], pathNot: 'node_modules/@types/' },
    },
    { name: 'every-import-resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js'],
      conditionNames: ['import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
