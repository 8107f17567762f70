// The engine under measurement, from the build: the stages are measured one by one.
export { computeSchedule } from '../../packages/scheduler/dist/computation/compute-schedule.js';
export { buildPlacementGraph } from '../../packages/scheduler/dist/placement/build-placement-graph.js';
export { PlacementResolver } from '../../packages/scheduler/dist/placement/placement-resolver.js';
