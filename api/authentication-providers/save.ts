import type { z } from 'zod'
import {
  type AuthenticationProviderRow,
  deleteAuthenticationProvider,
  findAuthenticationProvider,
  hasUsers,
  insertAuthenticationProvider,
  updateAuthenticationProvider,
} from '../../db/repos/authentication-providers.ts'
import { notFound, Problem, wrongField } from '../../shared/errors.ts'
import { newId } from '../../shared/ids.ts'
import { checkOutboundUrl } from '../../shared/outbound/check-outbound-url.ts'
import type { Deps } from '../deps.ts'
import { maskClientSecret, openClientSecret, sealClientSecret } from './client-secret.ts'
import type { AuthenticationProviderBody, AuthenticationProviderChanges } from './schemas.ts'

export async function createAuthenticationProvider(
  deps: Deps,
  tenantId: string,
  { clientSecret, ...content }: z.output<typeof AuthenticationProviderBody>,
): Promise<AuthenticationProviderRow> {
  checkUrl(deps, content.url)
  const id = newId()
  const provider = { id, ...content, sealedClientSecret: sealClientSecret(deps.secrets, id, clientSecret) }
  const row = await deps.db.tx((tx) => insertAuthenticationProvider(tx, tenantId, provider, deps.clock.now()))
  if (!row) throw new Problem('conflict', { message: 'This tenant has an authentication provider already' })
  return row
}

/** Puts the body in the place of everything but the secret, which stays unless another one is given. */
export async function replaceAuthenticationProvider(
  deps: Deps,
  tenantId: string,
  id: string,
  { clientSecret, ...content }: z.output<typeof AuthenticationProviderChanges>,
): Promise<AuthenticationProviderRow> {
  checkUrl(deps, content.url)
  return deps.db.tx(async (tx) => {
    const current = await findAuthenticationProvider(tx, tenantId, id)
    if (!current) throw notFound('id', id)
    const stays =
      clientSecret === undefined || clientSecret === maskClientSecret(openClientSecret(deps.secrets, current))
    const sealedClientSecret = stays ? current.sealedClientSecret : sealClientSecret(deps.secrets, id, clientSecret)
    const row = await updateAuthenticationProvider(tx, tenantId, id, { ...content, sealedClientSecret })
    if (!row) throw notFound('id', id)
    return row
  })
}

/** Deletes a provider at which no user signs in. */
export async function removeAuthenticationProvider({ db }: Deps, tenantId: string, id: string): Promise<void> {
  await db.tx(async (tx) => {
    if (!(await deleteAuthenticationProvider(tx, tenantId, id))) throw notFound('id', id)
    if (await hasUsers(tx, tenantId, id)) throw new Problem('conflict', { message: 'Users sign in at this provider' })
  })
}

function checkUrl({ config }: Deps, url: string): void {
  const wrong = checkOutboundUrl(url, { allowLoopback: config.outboundAllowLoopback })
  if (wrong) throw wrongField('url', `The url ${wrong}`, url)
}
