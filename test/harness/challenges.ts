/** The challenges of the endpoints for wallets (RFC 6750, section 3; RFC 9449, section 7.1; RFC 9728, section 5.1). */

interface Issuer {
  baseUrl: string
}

const credentialPath = '/v1/openid/credential'

export function dpopChallenge({ baseUrl }: Issuer, error?: string, path = credentialPath): string {
  const code = error === undefined ? '' : `error="${error}", `
  return `DPoP ${code}algs="ES256", resource_metadata="${baseUrl}/.well-known/oauth-protected-resource${path}"`
}

/** The challenges of a tenant that accepts both schemes. */
export function bothChallenges(issuer: Issuer, isWrongToken: boolean, path = credentialPath): string {
  const error = 'error="invalid_token", error_description="The access token is wrong or expired", '
  const metadata = `resource_metadata="${issuer.baseUrl}/.well-known/oauth-protected-resource${path}"`
  return `Bearer ${isWrongToken ? error : ''}${metadata}, ${dpopChallenge(issuer, undefined, path)}`
}
