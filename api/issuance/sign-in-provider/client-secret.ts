import type { Secrets } from '../../../shared/secrets/secrets.ts'
import { signInProviderContext } from '../../../shared/secrets/stored-contexts.ts'

/** Seals the client secret for the provider's row. The provider needs the plain secret, so a hash is not sufficient. */
export function sealClientSecret(secrets: Secrets, providerId: string, clientSecret: string): string {
  return secrets.seal(clientSecret, signInProviderContext(providerId))
}

export function openClientSecret(secrets: Secrets, provider: { id: string; sealedClientSecret: string }): string {
  return secrets.open(provider.sealedClientSecret, signInProviderContext(provider.id))
}
