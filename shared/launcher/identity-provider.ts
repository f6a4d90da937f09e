import Provider, { type JWK } from 'oidc-provider'

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
  /** Private, so that what was signed before a restart is still good after it. */
  signingKey: JWK
  cookieKey: string
}

/**
 * A real OpenID Connect provider for development and tests, where one signs in by saying who one is. Never for
 * production: it has no passwords.
 */
export function createIdentityProvider(options: IdentityProviderOptions): Provider {
  const { issuer, clientId, clientSecret, redirectUris, users, signingKey, cookieKey } = options
  const provider: Provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: redirectUris }],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
    scopes: ['openid', 'profile', 'email'],
    claims: { openid: ['sub'], profile: ['name', 'given_name', 'family_name', 'birthdate'], email: ['email'] },
    conformIdTokenClaims: false,
    jwks: { keys: [signingKey] },
    cookies: { keys: [cookieKey] },
    ttl: { Interaction: 3600, Grant: 86_400, Session: 86_400, AccessToken: 3600, IdToken: 3600, AuthorizationCode: 60 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `${signInPath}${uid}` },
    findAccount: (_ctx, sub) => {
      const user = users.find((each) => each.sub === sub)
      return user && { accountId: sub, claims: async () => ({ sub, ...user.claims }) }
    },
    // Nobody is asked for consent: the provider and the issuer are the same organisation.
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  })
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith(signInPath)) return next()
    const { uid } = await provider.interactionDetails(ctx.req, ctx.res)
    const accountId = ctx.query.as
    if (ctx.method !== 'POST') {
      ctx.type = 'html'
      ctx.body = signInPage(uid, users)
      return
    }
    const result = users.some(({ sub }) => sub === accountId)
      ? { login: { accountId: String(accountId) } }
      : { error: 'access_denied', error_description: 'The sign-in was cancelled' }
    await provider.interactionFinished(ctx.req, ctx.res, result, { mergeWithLastSubmission: false })
    ctx.respond = false
  })
  return provider
}

const signInPath = '/sign-in/'

function signInPage(uid: string, users: readonly DemoUser[]): string {
  const button = (query: string, label: string, kind: string) =>
    `<form method="post" action="${signInPath}${uid}?${query}"><button class="${kind}">${label}</button></form>`
  const buttons = users.map(({ sub, claims }) => button(`as=${encodeURIComponent(sub)}`, String(claims.name), 'user'))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in – development provider</title>
<style>
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.25rem;background:#eef1f4;font:1.0625rem/1.5 system-ui,sans-serif;color:#1b1f24}
main{width:100%;max-width:24rem;padding:1.75rem 1.5rem;background:#fff;border-radius:.75rem;box-sizing:border-box}
h1{margin:0 0 .25rem;font-size:1.5rem}
p{margin:0 0 1.25rem;color:#4a525c}
button{width:100%;margin:0 0 .75rem;padding:.8rem 1rem;border:1px solid #1f4e79;border-radius:.5rem;font:inherit;cursor:pointer}
.user{background:#1f4e79;color:#fff}
.cancel{background:#fff;color:#1f4e79}
</style>
</head>
<body>
<main>
<h1>Who are you?</h1>
<p>This provider is for development: it has no passwords.</p>
${buttons.join('\n')}
${button('as=', 'Cancel', 'cancel')}
</main>
</body>
</html>
`
}
