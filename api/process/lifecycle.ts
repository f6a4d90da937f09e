/** The lifecycle phase of the process. It accepts requests while it serves, and while it stops until proxies have noticed. */
export interface Lifecycle {
  phase: 'starting' | 'serving' | 'stopping'
}
