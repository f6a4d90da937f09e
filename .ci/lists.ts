/** Files that kill processes, wait for outages, restart the service many times, or simulate months. They may take longer than a minute. */
export const slowByDesign = new Set(
  ['backup', 'bulk-command', 'failover', 'kill', 'redis-cluster', 'rolling-restart', 'start', 'time-machine']
    .map((name) => `test/flows/${name}.test.ts`)
    .concat('test/once/time-machine.test.ts'),
)

/**
 * Files whose subject is a race. A failure that cannot be repeated is what a race looks like, so each failure of these files refuses the
 * change.
 */
export const neverForgiven = [
  /-kill\.test\.ts$/,
  /\/kill\.test\.ts$/,
  /race/,
  /lock/,
  /hold/,
  /-apart\.test\.ts$/,
  /\/pushed-/,
  /\/(lost-answers|lost-connections|rolling-restart|failover|redis-failover|single-use|commit-order|other-tenant)\.test\.ts$/,
  /-deaths\.test\.ts$/,
]
