import type { ClaimSourceRow } from '../../../db/repos/issuance/claim-sources.ts'
import type { Secrets } from '../../../shared/secrets/secrets.ts'
import { claimSourceContext } from '../../../shared/secrets/stored-contexts.ts'
import { maskClientSecret, originOf, replaceSecret, requireUnmasked } from '../../relying-party/masked-secret.ts'
import type { Authorization } from './schemas.ts'

/** Seals the authorization for the source's row. The source needs the plain secret, so a hash is not sufficient. */
export function sealAuthorization(
  secrets: Secrets,
  sourceId: string,
  { type, value }: Authorization,
): Pick<ClaimSourceRow, 'authorizationType' | 'sealedAuthorization'> {
  return {
    authorizationType: type,
    sealedAuthorization: secrets.seal(JSON.stringify(value), claimSourceContext(sourceId)),
  }
}

export function openAuthorization(secrets: Secrets, source: ClaimSourceRow): Authorization {
  const value: unknown = JSON.parse(secrets.open(source.sealedAuthorization, claimSourceContext(source.id)))
  // Boundary: `sealAuthorization` sealed the parsed value.
  return { type: source.authorizationType, value } as Authorization
}

/** Returns the authorization with a masked secret, as the API shows it. */
export function maskAuthorization(authorization: Authorization): Authorization {
  return withSecret(authorization, maskClientSecret(secretOf(authorization)))
}

/** Returns the authorization of a new source. Throws if the secret is a masked value. */
export function newAuthorization(authorization: Authorization): Authorization {
  return withSecret(authorization, requireUnmasked(secretField(authorization), secretOf(authorization)))
}

/** The URLs to which a secret or its token is sent. */
interface Target {
  url: string
  authorization: Authorization
}

/**
 * Returns the given authorization. A masked secret is replaced by the stored one. Throws if the source or its token
 * endpoint has moved to another origin and no new secret was given.
 */
export function replaceAuthorization(target: Target, stored: Target): Authorization {
  const { authorization } = target
  if (authorization.type !== stored.authorization.type) return newAuthorization(authorization)
  const hasMoved = originsOf(target).join() !== originsOf(stored).join()
  const secret = replaceSecret(
    secretField(authorization),
    secretOf(authorization),
    secretOf(stored.authorization),
    hasMoved,
  )
  return withSecret(authorization, secret)
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
