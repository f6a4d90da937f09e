import { compactVerify, decodeProtectedHeader, errors, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import type { AuthorizationServerRow } from '../../../db/repos/issuance/authorization-servers.ts'
import { unixSeconds } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import type { Deps } from '../../deps.ts'
import { parseJson } from '../../http/json.ts'
import { findNewerKeys, findServerKeys } from './server-keys.ts'
import { checkTokenClaims, type RefuseToken, type TokenChecks, TokenClaims } from './token-claims.ts'

/** Asymmetric algorithms. The keys of the server cannot verify `none` or a MAC. */
const algorithms = [
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
  ...['PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'],
]

const Issuer = z.looseObject({ iss: z.string() })

/** Returns the `iss` of a JWT, which is not verified yet. Returns undefined for another token. */
export function issuerIn(token: string): string | undefined {
  const [, payload, signature] = token.split('.', 4)
  if (payload === undefined || signature === undefined) return undefined
  try {
    return Issuer.safeParse(parseJson(Buffer.from(payload, 'base64url').toString())).data?.iss
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** Verifies a JWT access token of the server (RFC 9068, section 4). Throws the problem of `refuse`, or `service_unavailable`. */
export async function verifySignedToken(
  deps: Deps,
  server: AuthorizationServerRow,
  token: string,
  checks: TokenChecks,
): Promise<TokenClaims & { exp: number }> {
  const { refuse } = checks
  const payload = await verifySignature(deps, server, token, refuse)
  const claims = readClaims(payload, refuse)
  const malformed = (reason: string) => refuse({ reason, check: 'token_form' })
  const { exp, iat } = claims
  if (exp === undefined || iat === undefined) throw malformed('The token has no exp or no iat')
  if (claims.iss !== server.issuer)
    throw refuse({ reason: 'The iss of the token is not its server', check: 'token_issuer' })
  checkType(server, token, claims, malformed)
  checkTokenClaims(claims, checks, unixSeconds(deps.clock.now()))
  return { ...claims, exp }
}

async function verifySignature(
  deps: Deps,
  server: AuthorizationServerRow,
  token: string,
  refuse: RefuseToken,
): Promise<Uint8Array> {
  const verify = async (keys: JWTVerifyGetKey) => (await compactVerify(token, keys, { algorithms })).payload
  try {
    return await verify(await findServerKeys(deps, server))
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error
    const newer = error instanceof errors.JWKSNoMatchingKey ? await findNewerKeys(deps, server) : undefined
    if (!newer) throw refuse({ reason: describe(error), check: 'token_signature', isWrongSecret: true })
    return await verify(newer).catch((again: unknown) => {
      if (!(again instanceof errors.JOSEError)) throw again
      throw refuse({ reason: describe(again), check: 'token_signature', isWrongSecret: true })
    })
  }
}

/** The messages of the library contain no part of the token. */
function describe({ message }: errors.JOSEError): string {
  return `The signature of the token cannot be verified: ${message}`
}

function readClaims(payload: Uint8Array, refuse: RefuseToken): TokenClaims {
  try {
    const parsed = TokenClaims.safeParse(parseJson(new TextDecoder('utf-8', { fatal: true }).decode(payload)))
    if (parsed.success) return parsed.data
    const names = [...new Set(parsed.error.issues.map(({ path }) => String(path[0])))]
    throw refuse({ reason: `These members of the token are invalid: ${names.join(', ')}`, check: 'token_form' })
  } catch (error) {
    // The decoder throws a TypeError for invalid UTF-8.
    if (!(error instanceof TypeError) && !(error instanceof Problem && error.problem === 'malformed_body')) throw error
    throw refuse({ reason: 'The payload of the token is not JSON', check: 'token_form' })
  }
}

/** RFC 9068, section 2.1: the `typ` of the header tells an access token from an ID token. Keycloak tells it by a claim. */
function checkType(
  { jwtProfile }: AuthorizationServerRow,
  token: string,
  { typ: claim, client_id: clientId, jti }: TokenClaims,
  malformed: (reason: string) => Error,
): void {
  const typ = decodeProtectedHeader(token)
    .typ?.toLowerCase()
    .replace(/^application\//, '')
  if (jwtProfile === 'keycloak') {
    if (typ !== 'jwt' && typ !== 'at+jwt') throw malformed('The typ of the header is not JWT')
    if (claim !== 'Bearer' && claim !== 'DPoP') throw malformed('The claim typ is not Bearer or DPoP')
    return
  }
  if (typ !== 'at+jwt') throw malformed('The typ of the header is not at+jwt')
  // Section 2.2
  if (clientId === undefined || jti === undefined) throw malformed('The token has no client_id or no jti')
}
