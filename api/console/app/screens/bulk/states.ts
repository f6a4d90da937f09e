import type { Schemas } from '../../kit/api.ts'
import type { Mood } from '../../kit/elements.tsx'

export type Bulk = Schemas['BulkIssuance']

export const moods: Record<Bulk['state'], Mood> = {
  ...{ receiving: 'warn', validating: 'warn', ready: 'warn', running: 'warn', paused: 'warn' },
  ...{ done: 'good', cancelled: 'quiet', failed: 'bad' },
}

/** Returns whether the state changes without an action of a user. */
export function isActive({ state }: Pick<Bulk, 'state'>): boolean {
  return state === 'receiving' || state === 'validating' || state === 'running'
}

/** The states of claim links. */
export const linkStates = [
  'open',
  'opened',
  'collected',
  'expired',
  'revoked',
] as const satisfies readonly (keyof NonNullable<Bulk['links']>)[]
