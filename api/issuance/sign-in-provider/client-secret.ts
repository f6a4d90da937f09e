import type { Secrets } from '../../../shared/secrets.ts'

/** The secret at a provider is kept sealed for the provider's row: it has to be shown there, so a hash will not do. */
export function sealClientSecret(secrets: Secrets, providerId: string, clientSecret: string): string {
  return secrets.seal(clientSecret, clientSecretContext(providerId))
}

export function openClientSecret(secrets: Secrets, provider: { id: string; sealedClientSecret: string }): string {
  return secrets.open(provider.sealedClientSecret, clientSecretContext(provider.id))
}

export function clientSecretContext(providerId: string): string {
  return `authentication-provider ${providerId}`
}
