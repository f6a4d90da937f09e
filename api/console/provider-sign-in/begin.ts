import * as openid from 'openid-client'
import { insertConsoleSignIn } from '../../../db/repos/console/sign-ins.ts'
import { plusMs } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors.ts'
import { hashSecret, newOrderedId, newSecret, newSecretOf } from '../../../shared/ids.ts'
import { setConsoleCookie } from '../../access/console/cookie.ts'
import { findProviderOf, hashOfGrants } from '../../access/console/provider.ts'
import { findConsoleSessionId, originAt } from '../../access/console/session.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { Headers } from '../../http/route.ts'
import { discover, isProviderTrouble, whyUndiscovered } from '../../relying-party/discover.ts'
import { callbackPath } from '../provider/present.ts'

/** What has to be known again when the person comes back. */
export interface AskedProvider {
  providerHash: string
  redirectUri: string
  nonce: string
  codeVerifier: string
  returnTo: string
  /** Of the session that the browser has: its cookie does not come along from another site. */
  formerId?: string
}

export const contextOf = (signInId: string) => `console sign-in ${signInId}`

const minutes = 10

/** The provider's page, and the cookie by which the browser is known again. Throws `not_found`, and `service_unavailable` where the provider is away. */
export async function beginSignIn(
  deps: Deps,
  tenant: Tenant,
  headers: Headers,
  returnTo: string,
): Promise<{ url: string; cookie: string }> {
  const provider = await findProviderOf(deps, tenant)
  if (!provider) throw new Problem('not_found', { message: 'There is no provider at which people sign in here' })
  const configuration = await discover(deps, provider).catch((error: unknown) => {
    if (!isProviderTrouble(error)) throw error
    const message = 'The sign-in provider cannot be reached at the moment'
    throw new Problem('service_unavailable', { message, reason: `${message}: ${whyUndiscovered(error)}` })
  })
  const at = deps.clock.now()
  const id = newOrderedId(at)
  const [state, browser] = [newSecretOf(id), newSecret()]
  const formerId = await findConsoleSessionId(deps, tenant, headers)
  const asked: AskedProvider = {
    providerHash: hashOfGrants(provider),
    redirectUri: originAt(tenant) + callbackPath,
    nonce: openid.randomNonce(),
    codeVerifier: openid.randomPKCECodeVerifier(),
    returnTo,
    ...(formerId !== undefined && { formerId }),
  }
  const url = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: asked.redirectUri,
    scope: provider.scope.join(' '),
    state,
    nonce: asked.nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(asked.codeVerifier),
    code_challenge_method: 'S256',
  })
  const sealedRequest = deps.secrets.seal(JSON.stringify(asked), contextOf(id))
  const hashes = { stateHash: hashSecret(state), browserHash: hashSecret(browser) }
  const times = { expiresAt: plusMs(at, minutes * 60_000), createdAt: at }
  await deps.db.tx((tx) => insertConsoleSignIn(tx, { id, tenantId: tenant.id, ...hashes, sealedRequest, ...times }))
  // The provider's answer comes from another site.
  const cookie = { value: browser, sameSite: 'Lax', forSeconds: minutes * 60 } as const
  return { url: url.href, cookie: setConsoleCookie(tenant, 'console-sign-in', cookie) }
}
