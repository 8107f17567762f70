export * from './nervixd-process.js';
