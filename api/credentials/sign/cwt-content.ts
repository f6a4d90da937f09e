import type { z } from 'zod'
import { unixSeconds } from '../../../shared/clock.ts'
import { roundTime } from '../../../shared/domain/issuance/credential-times.ts'
import { wrongField } from '../../../shared/errors/errors.ts'
import type { CompactContent, CompactSemanticContent } from '../../../shared/jobs/payloads.ts'
import { customNames, type NewCompact, type NewCompactSemantic } from './cwt-schemas.ts'

type CompactPayload = z.output<typeof NewCompact>['payload']
type SemanticPayload = z.output<typeof NewCompactSemantic>['payload']

/** Returns the content of a compact credential. `nbf` is optional, as in any CWT. */
export function compactContent(payload: CompactPayload): CompactContent {
  const { type } = payload
  return {
    profile: 'compact',
    ...mapRegisteredClaims(payload),
    ...(type !== undefined && { type }),
    claims: Object.fromEntries(customNames(payload).map((name) => [name, payload[name]])),
  }
}

/**
 * Returns the content of a compact semantic credential. Adds a missing `nbf`, because it is the `issuanceDate` of the W3C
 * model.
 */
export function compactSemanticContent(payload: SemanticPayload, now: Date): CompactSemanticContent {
  const { nbf = payload.iat } = payload
  const { type, '@context': context, ...rest } = payload.vc
  const types = ['VerifiableCredential', ...type.filter((each) => each !== 'VerifiableCredential')]
  return {
    profile: 'compact-semantic',
    ...mapRegisteredClaims({ ...payload, nbf: nbf ?? unixSeconds(now) }),
    ...(nbf === undefined && { validFrom: roundTime(now).getTime() }),
    vc: { '@context': context, type: types, ...rest },
  }
}

interface RegisteredClaims {
  sub?: string
  aud?: string
  nbf?: number
  exp?: number
  iat?: number
}

/** Maps the registered claims to the fields of a signing job. Throws `bad_request` for a credential that would never be valid. */
function mapRegisteredClaims({ sub, aud, nbf, exp, iat }: RegisteredClaims) {
  if (exp !== undefined && nbf !== undefined && exp <= nbf) {
    throw wrongField('payload.exp', 'Must be after nbf', exp)
  }
  return {
    ...(sub !== undefined && { subject: sub }),
    ...(aud !== undefined && { audience: aud }),
    ...(iat !== undefined && { issuedAt: iat * 1000 }),
    ...(nbf !== undefined && { validFrom: nbf * 1000 }),
    ...(exp !== undefined && { validUntil: exp * 1000 }),
  }
}
