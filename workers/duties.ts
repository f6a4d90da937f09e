/** What a worker process can be asked to do; the Procfile says which process does what. */
export const duties = [
  'signing',
  'signing-bulk',
  'relay',
  'scheduler',
  'publishing',
  'delivery',
  'analytics',
  'upkeep',
] as const
export type Duty = (typeof duties)[number]
