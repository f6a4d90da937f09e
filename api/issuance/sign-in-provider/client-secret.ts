import type { SealContext } from '../../../shared/secrets/sealing.ts'
import type { Secrets } from '../../../shared/secrets/secrets.ts'

/** Seals the client secret for the provider's row. The provider needs the plain secret, so a hash is not sufficient. */
export function sealClientSecret(secrets: Secrets, providerId: string, clientSecret: string): string {
  return secrets.seal(clientSecret, clientSecretContext(providerId))
}

export function openClientSecret(secrets: Secrets, provider: { id: string; sealedClientSecret: string }): string {
  return secrets.open(provider.sealedClientSecret, clientSecretContext(provider.id))
}

export function clientSecretContext(providerId: string): SealContext {
  return { use: 'sign-in provider', place: `authentication-provider ${providerId}` }
}
