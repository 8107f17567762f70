/** Judges the descriptors of Protocol Buffers codecs without the engine. */
export { descriptorsDefect } from './codec/protobuf/codec-messages.js';
