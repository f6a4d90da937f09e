import type { DemoFacts } from './demo-facts.ts'

/** What a newcomer wants to know once everything runs: where, as whom, and what to type. */
export function welcome(
  facts: DemoFacts,
  places: { factsFile: string; metricsUrl: string; provider: string | undefined },
): string {
  const { baseUrl, clientId, clientSecret } = facts
  const provider = places.provider
    ? `\n  In the authorization code flow people sign in at ${places.provider}, as Ada or as Alan.`
    : ''
  const credentials = `-d client_id=${clientId} -d client_secret=${clientSecret}`
  return `
Trustwright runs. Ctrl-C stops it.

  Base URL       ${baseUrl}
  Client id      ${clientId}
  Client secret  ${clientSecret}

  ${places.factsFile} has the same, and the platform's client, which makes tenants.
  ${baseUrl}/docs has the reference, ${places.metricsUrl} the metrics.${provider}

Three commands to try:

  TOKEN=$(curl -s ${baseUrl}/oauth/token -d grant_type=client_credentials ${credentials} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')

  curl -s ${baseUrl}/v2/credentials/compact/configurations -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"claimMappings":{"given_name":{"mapFrom":"claims.given_name"}}}'

  curl -s ${baseUrl}/.well-known/openid-credential-issuer
`
}
