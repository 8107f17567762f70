export * from './run.js';
export * from './signals.js';
