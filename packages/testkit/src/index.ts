export * from './chromium.js';
export * from './evaluate-in-chromium.js';
export * from './eventually.js';
export * from './http-sink.js';
export * from './nervixd-process.js';
export * from './node-client.js';
export * from './test-authority.js';
export * from './test-certificates.js';
