/** The floors of `tools/floors.cjs` as rules of the import graph; no inline exceptions. */
const { mayImport, ports, pureFloors } = require('./tools/floors.cjs');

const tests = '\\.test\\.ts$';

const floorRules = Object.entries(mayImport).map(([floor, below]) => ({
  name: `floor-${floor}`,
  severity: 'error',
  from: { path: `^src/${floor}/`, pathNot: tests },
  to: { path: '^src/', pathNot: `^src/(${[floor, ...below].join('|')})/` },
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
    ...portRules,
    {
      name: 'every-folder-has-a-floor',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/(main|${Object.keys(mayImport).join('|')})/` },
      to: {},
    },
    { name: 'no-cycles', severity: 'error', from: { path: '^src/' }, to: { circular: true } },
    { name: 'no-dead-files', severity: 'error', from: { orphan: true, path: '^src/', pathNot: tests }, to: {} },
    {
      name: 'nobody-imports-a-test',
      severity: 'error',
      from: {},
      to: { path: `(^src/.*${tests})` },
    },
    {
      name: 'the-core-has-no-dependencies',
      severity: 'error',
      from: { path: `^src/(${pureFloors.join('|')})/`, pathNot: tests },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown', 'core'],
        pathNot: 'node_modules/zod/',
      },
    },
    {
      name: 'only-api-of-the-core-uses-zod',
      severity: 'error',
      from: { path: '^src/(base|domain|engine)/', pathNot: tests },
      to: { path: 'node_modules/zod/' },
    },
    {
      name: 'the-server-needs-no-development-package',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
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
