export * from './diagnostics.js';
export * from './parse.js';
