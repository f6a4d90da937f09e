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
import type { Change, ChangeTo } from '../../../db/repos/operations/audit/audited.ts'
import { authenticationProviders } from '../../../db/tables/issuance/sign-in-providers.ts'
import { changedFieldNames } from '../../../shared/changed-fields.ts'
import { notFound, Problem, wrongField } from '../../../shared/errors/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { findUrlFault } from '../../../shared/outbound/check-outbound-url.ts'
import type { Deps } from '../../deps.ts'
import { addKeyJob, secretToStore } from '../../relying-party/client-authentication.ts'
import { originOf, replaceSecret } from '../../relying-party/masked-secret.ts'
import { openClientSecret, sealClientSecret } from './client-secret.ts'
import { issuerOf } from './issuer.ts'
import type { AuthenticationProviderBody, AuthenticationProviderChanges } from './schemas.ts'

export async function createAuthenticationProvider(
  deps: Deps,
  change: ChangeTo<AuthenticationProviderRow>,
  tenantId: string,
  { clientSecret, ...content }: z.output<typeof AuthenticationProviderBody>,
): Promise<AuthenticationProviderRow> {
  checkUrl(deps, content.url)
  const at = deps.clock.now()
  const id = newOrderedId(at)
  const secret = secretToStore({ ...content, clientSecret })
  const provider = { id, ...content, sealedClientSecret: sealClientSecret(deps.secrets, id, secret) }
  return change(async (tx, record) => {
    const row = await insertAuthenticationProvider(tx, tenantId, provider, at)
    if (!row)
      throw new Problem('conflict', {
        message: 'The tenant already has an authentication provider. Change or delete it.',
      })
    await addKeyJob(tx, row, at)
    record(tenantId, { id })
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
 * Replaces everything except the secret, which stays if the body has none. A new secret is required if the origin
 * changes. The issuer cannot change while users sign in with it. The row is locked here, and every request that creates
 * a user takes a shared lock on it.
 */
export async function replaceAuthenticationProvider(
  deps: Deps,
  change: Change,
  { tenantId, id, body, requireMatch }: ProviderReplacement,
): Promise<AuthenticationProviderRow> {
  const { clientSecret, ...content } = body
  checkUrl(deps, content.url)
  return change(async (tx, record) => {
    const current = await hold(tx, authenticationProviders, tenantId, id)
    if (!current) throw notFound('id', id)
    await requireMatch(current)
    const stored = openClientSecret(deps.secrets, current)
    const hasMoved = originOf(current.url) !== originOf(content.url)
    const replace = (sent: string | undefined) => replaceSecret('clientSecret', sent, stored, hasMoved)
    const secret = secretToStore(body, stored === '' ? undefined : replace)
    if (issuerOf(current) !== issuerOf(content) && (await hasUsers(tx, tenantId, id))) {
      throw new Problem('conflict', {
        message: 'Users sign in with this provider, so its issuer cannot change. Delete these users first.',
      })
    }
    // An unchanged secret keeps its sealed value, so that sign-ins in progress still find the same provider row.
    const sealedClientSecret =
      secret === stored ? current.sealedClientSecret : sealClientSecret(deps.secrets, id, secret)
    const row = await updateAuthenticationProvider(tx, tenantId, id, { ...content, sealedClientSecret })
    if (!row) throw notFound('id', id)
    const changed = changedFieldNames({ ...current, clientSecret: stored }, { ...content, clientSecret: secret })
    await addKeyJob(tx, row, deps.clock.now())
    record(tenantId, { id, changed })
    return row
  })
}

/** Deletes a provider that no user signs in with. Returns false if it does not exist. */
export async function removeAuthenticationProvider(tx: Writer, tenantId: string, id: string): Promise<boolean> {
  // The row is deleted before the check. A user that is being saved locks the row, so the check after it sees that
  // user.
  if (!(await deleteAuthenticationProvider(tx, tenantId, id))) return false
  if (await hasUsers(tx, tenantId, id))
    throw new Problem('conflict', { message: 'Users sign in with this provider. Delete these users first.' })
  return true
}

function checkUrl({ config }: Deps, url: string): void {
  const wrong = findUrlFault(url, { allowLoopback: config.outboundAllowLoopback })
  if (wrong) throw wrongField('url', wrong, url)
}
