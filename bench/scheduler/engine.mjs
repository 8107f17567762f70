// The engine under measurement: the built package, by what it exports.
export {
  computeSchedule,
  DomainResolver,
  scheduleSteps,
} from '../../packages/scheduler/dist/index.js';
