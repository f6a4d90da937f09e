import type { Registry } from 'prom-client'

/** The roles of processes. The Procfile has a process for each. */
export const processRoles = ['web', 'signing', 'worker'] as const
export type ProcessRole = (typeof processRoles)[number]

/** Returns the roles of `ROLES`, in the order of `processRoles`. Returns undefined for an unknown or repeated name. */
export function parseRoles(text: string): ProcessRole[] | undefined {
  if (text === 'all') return [...processRoles]
  const names = text.split(',').map((name) => name.trim())
  const roles = processRoles.filter((role) => names.includes(role))
  return roles.length === names.length ? roles : undefined
}

/** A role in a process. The process opens its database and its bus, and closes them after all of its roles. */
export interface RunningRole {
  /** Updates the metrics of the process. */
  measure(): Promise<void>
  /** Returns the metrics of the whole service, or undefined if another process reports them. */
  ofService?(): Promise<Registry | undefined>
  /** Waits for the dependencies, and resolves when the role accepts work. */
  start(): Promise<void>
  /** Returns whether the role has started. Before that there is nothing to drain. */
  isStarted(): boolean
  /** Drains the role: completes its requests or jobs for a limited time. */
  stop(): Promise<void>
}
