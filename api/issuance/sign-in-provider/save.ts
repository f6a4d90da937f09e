import type { z } from 'zod'
import type { Writer } from '../../../db/client.ts'
import { hold } from '../../../db/hold.ts'
import {
  type AuthenticationProviderRow,
  deleteAuthenticationProvider,
  hasUsers,
  insertAuthenticationProvider,
  updateAuthenticationProvider,
} from '../../../db/repos/issuance/sign-in-providers.ts'
import type { Change } from '../../../db/repos/operations/audited.ts'
import { authenticationProviders } from '../../../db/tables/issuance/sign-in-providers.ts'
import { changedFields } from '../../../shared/changed-fields.ts'
import { notFound, Problem, wrongField } from '../../../shared/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { findUrlFault } from '../../../shared/outbound/check-outbound-url.ts'
import type { Deps } from '../../deps.ts'
import { originOf, replaceSecret, requireUnmasked } from '../../relying-party/masked-secret.ts'
import { openClientSecret, sealClientSecret } from './client-secret.ts'
import { issuerOf } from './issuer.ts'
import type { AuthenticationProviderBody, AuthenticationProviderChanges } from './schemas.ts'

export async function createAuthenticationProvider(
  deps: Deps,
  change: Change,
  tenantId: string,
  { clientSecret, ...content }: z.output<typeof AuthenticationProviderBody>,
): Promise<AuthenticationProviderRow> {
  checkUrl(deps, content.url)
  const at = deps.clock.now()
  const id = newOrderedId(at)
  const sealedClientSecret = sealClientSecret(deps.secrets, id, requireUnmasked('clientSecret', clientSecret))
  const provider = { id, ...content, sealedClientSecret }
  return change(async (tx, tell) => {
    const row = await insertAuthenticationProvider(tx, tenantId, provider, at)
    if (!row) throw new Problem('conflict', { message: 'This tenant has an authentication provider already' })
    tell(tenantId, { id })
    return row
  })
}

interface ProviderReplacement {
  tenantId: string
  id: string
  body: z.output<typeof AuthenticationProviderChanges>
  requireMatch(before: AuthenticationProviderRow): Promise<void>
}

/**
 * Puts the body in the place of everything but the secret, which stays unless another one is given; at another origin
 * another one has to be given. The issuer stays as long as users sign in there: whoever makes a user shares the provider's
 * row, which is held here.
 */
export async function replaceAuthenticationProvider(
  deps: Deps,
  change: Change,
  { tenantId, id, body, requireMatch }: ProviderReplacement,
): Promise<AuthenticationProviderRow> {
  const { clientSecret, ...content } = body
  checkUrl(deps, content.url)
  return change(async (tx, tell) => {
    const current = await hold(tx, authenticationProviders, tenantId, id)
    if (!current) throw notFound('id', id)
    await requireMatch(current)
    const stored = openClientSecret(deps.secrets, current)
    const secret = replaceSecret('clientSecret', clientSecret, stored, originOf(current.url) !== originOf(content.url))
    if (issuerOf(current) !== issuerOf(content) && (await hasUsers(tx, tenantId, id))) {
      throw new Problem('conflict', {
        message: 'Users sign in at this provider, who would not be known at another issuer',
      })
    }
    // As it stands where it stays: who signs in meanwhile finds what is known about the provider.
    const sealedClientSecret =
      secret === stored ? current.sealedClientSecret : sealClientSecret(deps.secrets, id, secret)
    const row = await updateAuthenticationProvider(tx, tenantId, id, { ...content, sealedClientSecret })
    if (!row) throw notFound('id', id)
    const changed = changedFields({ ...current, clientSecret: stored }, { ...content, clientSecret: secret })
    tell(tenantId, { id, changed })
    return row
  })
}

/** Deletes a provider at which no user signs in. False when there is none. */
export async function removeAuthenticationProvider(tx: Writer, tenantId: string, id: string): Promise<boolean> {
  // Deleted first: a user that is being saved holds it, and is seen by the question then.
  if (!(await deleteAuthenticationProvider(tx, tenantId, id))) return false
  if (await hasUsers(tx, tenantId, id)) throw new Problem('conflict', { message: 'Users sign in at this provider' })
  return true
}

function checkUrl({ config }: Deps, url: string): void {
  const wrong = findUrlFault(url, { allowLoopback: config.outboundAllowLoopback })
  if (wrong) throw wrongField('url', wrong, url)
}
