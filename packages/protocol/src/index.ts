export * from './api-paths.js';
export * from './commands.js';
export * from './domains.js';
export * from './error-codes.js';
export * from './secrets.js';
export * from './subscriptions.js';
export * from './uploads.js';
