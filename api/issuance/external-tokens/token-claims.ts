import { z } from 'zod'
import type { ProblemOptions } from '../../../shared/errors/errors.ts'

/** Creates the problem of a refused token. */
export type RefuseToken = (options: Pick<ProblemOptions, 'reason' | 'check' | 'isWrongSecret'>) => Error

/** The facts that a token is compared with. */
export interface TokenChecks {
  /** The value that `aud` must contain. */
  audience: string
  refuse: RefuseToken
}

const Seconds = z.number().min(0).max(1e11)

/** The members of an access token, or of an introspection response, that are checked. */
export const TokenClaims = z.looseObject({
  iss: z.string().optional(),
  aud: z.union([z.string(), z.array(z.string()).max(100)]),
  exp: Seconds.optional(),
  nbf: Seconds.optional(),
  iat: Seconds.optional(),
  client_id: z.string().min(1).max(500).optional(),
  azp: z.string().min(1).max(500).optional(),
  typ: z.string().optional(),
  scope: z.string().max(10_000).optional(),
  issuer_state: z.string().max(1_000).optional(),
  cnf: z.looseObject({ jkt: z.string().max(100).optional() }).optional(),
  authorization_details: z.array(z.unknown()).max(100).optional(),
})

export type TokenClaims = z.output<typeof TokenClaims>

/** Clocks of the server and of this service can differ by this time. */
const toleranceSeconds = 60

/** Checks what a signed token and an introspection response have in common (RFC 9068, section 4; RFC 7662, section 4). */
export function checkTokenClaims(claims: TokenClaims, { audience, refuse }: TokenChecks, nowSeconds: number): void {
  const { aud, exp, nbf, iat, cnf } = claims
  if (![aud].flat().includes(audience))
    throw refuse({
      reason: 'The aud of the token does not contain the audience of the tenant or view',
      check: 'token_audience',
    })
  const wrongTime = (reason: string) => refuse({ reason, check: 'token_times' })
  if (exp !== undefined && exp + toleranceSeconds <= nowSeconds) throw wrongTime('The token has expired')
  if (nbf !== undefined && nbf - toleranceSeconds > nowSeconds) throw wrongTime('The token is not valid yet')
  if (iat !== undefined && iat - toleranceSeconds > nowSeconds) throw wrongTime('The iat of the token is in the future')
  // RFC 7800: a token that is bound in another way must not be accepted without its binding.
  if (cnf && cnf.jkt === undefined)
    throw refuse({ reason: 'The cnf of the token has no jkt, and only DPoP is supported', check: 'access_token_key' })
}

/** Returns when a token with this `exp` is refused. */
export function tokenEnd(exp: number): Date {
  return new Date((exp + toleranceSeconds) * 1_000)
}
