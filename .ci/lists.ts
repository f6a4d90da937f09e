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
  ...[
    'analytics-kill',
    'automatic-lists-kill',
    'bulk-kill',
    'certificates-kill',
    'kill',
    'publication-kill',
    'signing-kill',
  ],
  ...['failover', 'lost-answers', 'lost-connections', 'other-tenant', 'pushed-parameters', 'pushed-race', 'races'],
  ...['redis-failover', 'refresh-locks', 'rolling-restart'],
]
  .map((name) => `test/flows/${name}.test.ts`)
  .concat(['hold', 'postgres-group-locks', 'tenants-apart'].map((name) => `test/db/${name}.test.ts`))
  .concat(['automatic-lists-deaths', 'commit-order'].map((name) => `test/workers/${name}.test.ts`))
