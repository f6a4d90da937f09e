import type { Secrets } from '../../shared/secrets.ts'

/** The secret at a provider is kept sealed for the provider's row: it has to be shown there, so a hash will not do. */
export function sealClientSecret(secrets: Secrets, providerId: string, clientSecret: string): string {
  return secrets.seal(clientSecret, contextOf(providerId))
}

export function openClientSecret(secrets: Secrets, provider: { id: string; sealedClientSecret: string }): string {
  return secrets.open(provider.sealedClientSecret, contextOf(provider.id))
}

/** The last five characters, behind a mask that does not tell the length; a secret of no more than five shows none. */
export function maskClientSecret(clientSecret: string): string {
  return `${'*'.repeat(8)}${clientSecret.length > 5 ? clientSecret.slice(-5) : ''}`
}

function contextOf(providerId: string): string {
  return `authentication-provider ${providerId}`
}
