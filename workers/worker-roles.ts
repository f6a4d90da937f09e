/** The roles that a worker process can have. The Procfile states the roles of each process. */
export const workerRoles = [
  'signing',
  'signing-bulk',
  'relay',
  'scheduler',
  'publishing',
  'delivery',
  'analytics',
  'upkeep',
] as const
export type WorkerRole = (typeof workerRoles)[number]

/** The worker roles of the processes `signing` and `worker` of the Procfile. */
export const workerRolesOf = {
  signing: ['signing', 'signing-bulk'],
  worker: ['relay', 'scheduler', 'publishing', 'delivery', 'analytics', 'upkeep'],
} as const satisfies Record<string, readonly WorkerRole[]>
