import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the young generation of every V8 heap of the process from growing, until it is let grow.
 * Loading code fills it with what does not survive; it would grow by that and never shrink, which
 * costs an idle node some 20 MB.
 */
export function holdYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Lets young generations grow with the work they get, as V8 does by default. */
export function releaseYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
}
