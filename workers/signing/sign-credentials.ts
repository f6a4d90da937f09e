import type { IssuanceRef, Outcomes } from '../../shared/jobs/registry.ts'
import type { SigningDeps } from './handlers.ts'

export async function signCredentials(_deps: SigningDeps, items: IssuanceRef[]): Promise<Outcomes<null>> {
  return { outcomes: items.map(() => ({ ok: null })) }
}
