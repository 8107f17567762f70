import { runSliced, type SliceHost, type Steps } from '@nervix/scheduler';

const EVENT_LOOP: SliceHost = {
  now: () => performance.now(),
  defer: (resume) => void setImmediate(resume),
};

/** Does work in slices, between which the event loop turns; short work is done at once. */
export function inSlices<Result>(steps: Steps<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    runSliced(steps, EVENT_LOOP, (end) => {
      if (end.kind === 'done') resolve(end.result);
      else reject(end.error);
    });
  });
}
