import type { ClaimSourceRow } from '../../../db/repos/issuance/claim-sources.ts'
import type { Secrets } from '../../../shared/secrets.ts'
import { maskClientSecret, originOf, replaceSecret, requireUnmasked } from '../../relying-party/masked-secret.ts'
import type { Authorization } from './schemas.ts'

/** Sealed for the source's row: it has to be shown to the source, so a hash will not do. */
export function sealAuthorization(
  secrets: Secrets,
  sourceId: string,
  { type, value }: Authorization,
): Pick<ClaimSourceRow, 'authorizationType' | 'sealedAuthorization'> {
  return {
    authorizationType: type,
    sealedAuthorization: secrets.seal(JSON.stringify(value), authorizationContext(sourceId)),
  }
}

export function openAuthorization(secrets: Secrets, source: ClaimSourceRow): Authorization {
  const value: unknown = JSON.parse(secrets.open(source.sealedAuthorization, authorizationContext(source.id)))
  // Boundary: `sealAuthorization` sealed what the schema had parsed.
  return { type: source.authorizationType, value } as Authorization
}

/** As it is shown. */
export function maskAuthorization(authorization: Authorization): Authorization {
  return withSecret(authorization, maskClientSecret(secretOf(authorization)))
}

/** What is given for a new source. Throws for a secret that is only how one is shown. */
export function newAuthorization(given: Authorization): Authorization {
  return withSecret(given, requireUnmasked(secretField(given), secretOf(given)))
}

/** A source as far as it says where its secret, or what is had for it, goes. */
interface Target {
  url: string
  authorization: Authorization
}

/**
 * What is given, with the secret that is stored where it comes back as it was shown. It has to be given anew where the
 * source or its token endpoint is at another origin than before.
 */
export function replaceAuthorization(target: Target, stored: Target): Authorization {
  const { authorization: given } = target
  if (given.type !== stored.authorization.type) return newAuthorization(given)
  const hasMoved = originsOf(target).join() !== originsOf(stored).join()
  const secret = replaceSecret(secretField(given), secretOf(given), secretOf(stored.authorization), hasMoved)
  return withSecret(given, secret)
}

function originsOf({ url, authorization: { type, value } }: Target): string[] {
  return [originOf(url), ...(type === 'api-key' ? [] : [originOf(value.tokenUrl)])]
}

function secretOf({ type, value }: Authorization): string {
  return type === 'api-key' ? value : value.clientSecret
}

function secretField({ type }: Authorization): string {
  return type === 'api-key' ? 'authorization.value' : 'authorization.value.clientSecret'
}

function withSecret({ type, value }: Authorization, secret: string): Authorization {
  return type === 'api-key' ? { type, value: secret } : { type, value: { ...value, clientSecret: secret } }
}

export const authorizationContext = (sourceId: string) => `claim source ${sourceId}`
