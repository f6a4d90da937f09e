import { insertConsoleSignIn } from '../../../db/repos/console/sign-ins.ts'
import { plusMs } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { hashSecret, newOrderedId, newSecret, newSecretOf } from '../../../shared/ids.ts'
import { consoleSignInContext } from '../../../shared/secrets/stored-contexts.ts'
import { setConsoleCookie } from '../../access/console/cookie.ts'
import { findProviderOf, hashOfGrants } from '../../access/console/provider.ts'
import { findConsoleSessionId, originAt } from '../../access/console/session.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { Headers } from '../../http/route.ts'
import { describeDiscoveryError, isProviderTrouble } from '../../relying-party/discover.ts'
import { type SignInSecrets, startAtProvider } from '../../relying-party/sign-in.ts'
import { callbackPath } from '../provider/present.ts'

/** The state of a sign-in that the callback needs. */
export interface PendingSignIn extends SignInSecrets {
  providerHash: string
  redirectUri: string
  returnTo: string
  /** The id of the browser's current session. The callback comes from another site, so that it has no session cookie. */
  formerId?: string
}

const minutes = 10

/**
 * Stores a sign-in. Returns the address of the provider's page, and the cookie that identifies the browser. Throws `not_found`, and
 * `service_unavailable` if the provider is unreachable.
 */
export async function beginSignIn(
  deps: Deps,
  tenant: Tenant,
  headers: Headers,
  returnTo: string,
): Promise<{ url: string; cookie: string }> {
  const provider = await findProviderOf(deps, tenant)
  if (!provider) throw new Problem('not_found', { message: 'No sign-in provider is configured for this host' })
  const id = newOrderedId(deps.clock.now())
  const [state, browser] = [newSecretOf(id), newSecret()]
  const redirectUri = originAt(tenant) + callbackPath
  const parameters = { redirect_uri: redirectUri, scope: provider.scope.join(' '), state }
  const { url, secrets } = await startAtProvider(deps, provider, parameters).catch((error: unknown) => {
    if (!isProviderTrouble(error)) throw error
    const message = 'The sign-in provider is unreachable. Try again later.'
    throw new Problem('service_unavailable', {
      message,
      reason: `The sign-in provider is unreachable: ${describeDiscoveryError(error)}`,
    })
  })
  const formerId = await findConsoleSessionId(deps, tenant, headers)
  const pending: PendingSignIn = {
    providerHash: hashOfGrants(provider),
    redirectUri,
    ...secrets,
    returnTo,
    ...(formerId !== undefined && { formerId }),
  }
  const sealedRequest = deps.secrets.seal(JSON.stringify(pending), consoleSignInContext(id))
  const hashes = { stateHash: hashSecret(state), browserHash: hashSecret(browser) }
  const at = deps.clock.now()
  const times = { expiresAt: plusMs(at, minutes * 60_000), createdAt: at }
  await deps.db.tx((tx) => insertConsoleSignIn(tx, { id, tenantId: tenant.id, ...hashes, sealedRequest, ...times }))
  // SameSite=Lax, because the provider redirects the browser from another site.
  const cookie = { value: browser, sameSite: 'Lax', forSeconds: minutes * 60 } as const
  return { url: url.href, cookie: setConsoleCookie(tenant, 'console-sign-in', cookie) }
}
