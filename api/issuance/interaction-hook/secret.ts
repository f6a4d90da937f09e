import { randomBytes } from 'node:crypto'
import type { InteractionHookRow } from '../../../db/repos/issuance/interaction-hooks.ts'
import type { Secrets } from '../../../shared/secrets/secrets.ts'
import { interactionHookContext } from '../../../shared/secrets/stored-contexts.ts'

/**
 * Creates the key with which both sides sign session tokens. The operator can read it, so it is sealed and not hashed.
 */
export function newSealedSecret(secrets: Secrets, tenantId: string): string {
  return secrets.seal(randomBytes(32).toString('base64'), interactionHookContext(tenantId))
}

/** Returns the secret in base64, as the operator sees it. */
export function openHookSecret(secrets: Secrets, { tenantId, sealedSecret }: InteractionHookRow): string {
  return secrets.open(sealedSecret, interactionHookContext(tenantId))
}
