import type { ClaimSourceRow } from '../../db/repos/claim-sources.ts'
import type { Secrets } from '../../shared/secrets.ts'
import { maskClientSecret } from '../authentication-providers/client-secret.ts'
import type { Authorization } from './schemas.ts'

/** Sealed for the source's row: it has to be shown to the source, so a hash will not do. */
export function sealAuthorization(
  secrets: Secrets,
  sourceId: string,
  { type, value }: Authorization,
): Pick<ClaimSourceRow, 'authorizationType' | 'sealedAuthorization'> {
  return { authorizationType: type, sealedAuthorization: secrets.seal(JSON.stringify(value), contextOf(sourceId)) }
}

export function openAuthorization(secrets: Secrets, source: ClaimSourceRow): Authorization {
  const value: unknown = JSON.parse(secrets.open(source.sealedAuthorization, contextOf(source.id)))
  // Boundary: `sealAuthorization` sealed what the schema had parsed.
  return { type: source.authorizationType, value } as Authorization
}

/** As it is shown. */
export function maskAuthorization(authorization: Authorization): Authorization {
  return withSecret(authorization, maskClientSecret(secretOf(authorization)))
}

/** What is given, with the secret that is stored where it comes back as it was shown. */
export function unmaskAuthorization(given: Authorization, stored: Authorization): Authorization {
  const isMasked = given.type === stored.type && secretOf(given) === maskClientSecret(secretOf(stored))
  return isMasked ? withSecret(given, secretOf(stored)) : given
}

function secretOf({ type, value }: Authorization): string {
  return type === 'api-key' ? value : value.clientSecret
}

function withSecret({ type, value }: Authorization, secret: string): Authorization {
  return type === 'api-key' ? { type, value: secret } : { type, value: { ...value, clientSecret: secret } }
}

const contextOf = (sourceId: string) => `claim source ${sourceId}`
