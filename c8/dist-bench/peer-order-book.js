export * from './engine-run.js'
