import { createHash, randomBytes } from 'node:crypto'
import { type ApiResponse, createApi } from '../harness/api-client.ts'
import type { TestTenant } from '../harness/harness.ts'
import { type Browser, newBrowser } from '../servers/provider.ts'

export const redirectUri = 'http://127.0.0.1:9/callback'
export const clientId = 'test-wallet'

/** Registers the wallet of these tests. Without it the tenant must accept unregistered wallets. */
export async function registerWallet(tenant: TestTenant): Promise<void> {
  const client = { name: 'Test wallet', clientId, redirectUris: [redirectUri] }
  const { status, body } = await tenant.operator.post('/v1/openid/clients', client)
  if (status !== 201) throw new Error(`wallet: ${status} ${JSON.stringify(body)}`)
}

/** A wallet for the authorization code flow with one function per step. Tests can change any step. */
export interface AuthorizationWallet {
  browser: Browser
  verifier: string
  /** The authorization URL. `changes` with undefined remove a parameter. */
  authorizeUrl(changes?: Record<string, string | undefined>): URL
  /** Signs in and returns the parameters of the redirect to the wallet. */
  authorize(changes?: Record<string, string | undefined>, user?: string): Promise<URLSearchParams>
  redeem(
    code: string,
    changes?: Record<string, string | undefined>,
    headers?: Record<string, string>,
  ): Promise<ApiResponse>
}

export function newAuthorizationWallet(
  tenant: Pick<TestTenant, 'host'>,
  origin: string,
  configurationId: string,
): AuthorizationWallet {
  const api = createApi(origin, tenant.host)
  const browser = newBrowser((url) => url.href.startsWith(redirectUri))
  const verifier = randomBytes(32).toString('base64url')
  const details = [{ type: 'openid_credential', credential_configuration_id: configurationId }]
  const wallet: AuthorizationWallet = {
    browser,
    verifier,
    authorizeUrl(changes = {}) {
      const url = new URL(`${origin}/v1/oauth/authorize`)
      url.search = String(
        withChanges(
          {
            response_type: 'code',
            client_id: clientId,
            redirect_uri: redirectUri,
            state: 'wallet-state',
            code_challenge: createHash('sha256').update(verifier).digest('base64url'),
            code_challenge_method: 'S256',
            authorization_details: JSON.stringify(details),
          },
          changes,
        ),
      )
      return url
    },
    async authorize(changes, user) {
      const { url, status, html } = await browser.signIn(wallet.authorizeUrl(changes), user)
      if (!url.href.startsWith(redirectUri))
        throw new Error(`stayed at ${url.pathname}: ${status} ${html.slice(0, 2000)}`)
      return url.searchParams
    },
    redeem(code, changes = {}, headers = {}) {
      const form = withChanges(
        {
          grant_type: 'authorization_code',
          client_id: clientId,
          redirect_uri: redirectUri,
          code,
          code_verifier: verifier,
        },
        changes,
      )
      return api.post('/v1/oauth/token', form, headers)
    },
  }
  return wallet
}

function withChanges(values: Record<string, string>, changes: Record<string, string | undefined>): URLSearchParams {
  const entries = Object.entries({ ...values, ...changes })
  return new URLSearchParams(entries.filter((entry): entry is [string, string] => entry[1] !== undefined))
}
