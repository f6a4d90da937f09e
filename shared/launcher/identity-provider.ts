import type { Context } from 'koa'
import Provider, { type ClientMetadata, errors, type JWK } from 'oidc-provider'
import { type Html, html } from '../pages/html.ts'
import { type RenderedPage, renderPage } from '../pages/page.ts'

export interface DemoUser {
  sub: string
  claims: Record<string, unknown>
}

export interface IdentityProviderOptions {
  issuer: string
  clientId: string
  clientSecret: string
  redirectUris: string[]
  users: readonly DemoUser[]
  /** Claims of the scope `profile` besides the usual ones. */
  moreClaims?: readonly string[]
  /** The claims of scopes are only in the UserInfo response, as OpenID Connect Core 1.0, section 5.4 says. */
  claimsInUserInfo?: boolean
  /** More metadata of the client (OpenID Connect Dynamic Client Registration 1.0, section 2). */
  client?: Partial<ClientMetadata>
  /** A private key. It stays the same after a restart, so that earlier signatures stay valid. */
  signingKey: JWK
  cookieKey: string
}

/**
 * Creates a real OpenID Connect provider for development and tests. A person signs in by choosing a user. Never for production: it has
 * no passwords.
 */
export function createIdentityProvider(options: IdentityProviderOptions): Provider {
  const { issuer, clientId, clientSecret, redirectUris, users, moreClaims = [], signingKey, cookieKey } = options
  const { claimsInUserInfo = false, client } = options
  const provider: Provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: redirectUris, ...client }],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    scopes: ['openid', 'profile', 'email'],
    claims: {
      openid: ['sub'],
      profile: ['name', 'given_name', 'family_name', 'birthdate', ...moreClaims],
      email: ['email', 'email_verified'],
    },
    conformIdTokenClaims: claimsInUserInfo,
    jwks: { keys: [signingKey] },
    cookies: { keys: [cookieKey] },
    ttl: { Interaction: 3600, Grant: 86_400, Session: 86_400, AccessToken: 3600, IdToken: 3600, AuthorizationCode: 60 },
    features: { devInteractions: { enabled: false }, jwtUserinfo: { enabled: true } },
    interactions: { url: (_ctx, { uid }) => `${signInPath}${uid}` },
    findAccount: (_ctx, sub) => {
      const user = users.find((each) => each.sub === sub)
      return user && { accountId: sub, claims: async () => ({ sub, ...user.claims }) }
    },
    renderError: (ctx, { error, error_description: description }) => show(ctx, errorPage(error, description)),
    // The client is on the same machine, whose addresses the library refuses otherwise.
    fetch: (url) => fetch(url),
    // Grants all scopes without a consent page: the provider and the issuer are the same organisation.
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  })
  provider.use((ctx, next) => (ctx.path.startsWith(signInPath) ? signIn(provider, users, ctx) : next()))
  return provider
}

const signInPath = '/sign-in/'

/** Shows the sign-in page, and finishes the sign-in when its form is sent. */
async function signIn(provider: Provider, users: readonly DemoUser[], ctx: Context): Promise<void> {
  const interaction = await provider.interactionDetails(ctx.req, ctx.res).catch((error: unknown) => {
    if (!(error instanceof errors.SessionNotFound)) throw error
  })
  if (!interaction) {
    ctx.status = 400
    show(ctx, endedPage())
    return
  }
  const accountId = ctx.query.as
  if (ctx.method !== 'POST') {
    show(ctx, signInPage(interaction.uid, users))
    return
  }
  const result = users.some(({ sub }) => sub === accountId)
    ? { login: { accountId: String(accountId) } }
    : { error: 'access_denied', error_description: 'The sign-in was cancelled' }
  await provider.interactionFinished(ctx.req, ctx.res, result, { mergeWithLastSubmission: false })
  ctx.respond = false
}

function signInPage(uid: string, users: readonly DemoUser[]): RenderedPage {
  const button = (query: string, label: string, kind: string) =>
    html`<form method="post" action="${signInPath}${uid}?${query}"><button class="${kind}">${label}</button></form>\n`
  return providerPage(
    'Who are you?',
    html`<p>This provider is for development: it has no passwords.</p>
${users.map(({ sub, claims }) => button(`as=${encodeURIComponent(sub)}`, String(claims.name), 'action'))}
${button('as=', 'Cancel', 'action second')}`,
  )
}

function endedPage(): RenderedPage {
  return providerPage(
    'This sign-in has ended',
    html`<p>It took too long, or it started in another browser.</p>
<p class="advice">Go back to your wallet and start again.</p>`,
  )
}

function errorPage(error: string, description: string | undefined): RenderedPage {
  return providerPage(
    'This request to sign in is not possible',
    html`<p class="advice">Go back to your wallet and start again.</p>
<div class="help">Reason: ${description ?? error}<code>${error}</code></div>`,
  )
}

function providerPage(title: string, content: Html): RenderedPage {
  const branding = { name: 'Development provider' }
  // No `form-action`: browsers also apply it to redirects after a form, which can lead to any wallet.
  return renderPage({
    language: 'en',
    title,
    branding,
    content: html`<h1>${title}</h1>\n${content}`,
    formsAnywhere: true,
  })
}

function show(ctx: Pick<Context, 'set' | 'type' | 'body'>, { body, headers }: RenderedPage): void {
  ctx.set(headers)
  ctx.set('Cache-Control', 'no-store')
  ctx.type = 'html'
  ctx.body = body
}
