import type { Secrets } from '../../../shared/secrets/secrets.ts'
import { authorizationServerContext } from '../../../shared/secrets/stored-contexts.ts'

/** Seals the client secret for the row of the server. The server needs the plain secret, so a hash is not sufficient. */
export function sealServerSecret(secrets: Secrets, serverId: string, clientSecret: string): string {
  return secrets.seal(clientSecret, authorizationServerContext(serverId))
}

export function openServerSecret(secrets: Secrets, server: { id: string; sealedClientSecret: string }): string {
  return secrets.open(server.sealedClientSecret, authorizationServerContext(server.id))
}
