import type { z } from 'zod'
import { unixSeconds } from '../../../shared/clock.ts'
import { roundTime } from '../../../shared/domain/issuance/credential-times.ts'
import { wrongField } from '../../../shared/errors.ts'
import type { CompactContent, CompactSemanticContent } from '../../../shared/jobs/payloads.ts'
import { customNames, type NewCompact, type NewCompactSemantic } from './cwt-schemas.ts'

type CompactPayload = z.output<typeof NewCompact>['payload']
type SemanticPayload = z.output<typeof NewCompactSemantic>['payload']

/** One without `nbf` has none, as with any CWT. */
export function compactContent(payload: CompactPayload): CompactContent {
  const { type } = payload
  return {
    profile: 'compact',
    ...frameOf(payload),
    ...(type !== undefined && { type }),
    claims: Object.fromEntries(customNames(payload).map((name) => [name, payload[name]])),
  }
}

/** Adds a missing `nbf`, since it is the `issuanceDate` of the W3C model. */
export function compactSemanticContent(payload: SemanticPayload, now: Date): CompactSemanticContent {
  const { nbf = payload.iat } = payload
  const { type, '@context': context, ...rest } = payload.vc
  const types = ['VerifiableCredential', ...type.filter((each) => each !== 'VerifiableCredential')]
  return {
    profile: 'compact-semantic',
    ...frameOf({ ...payload, nbf: nbf ?? unixSeconds(now) }),
    ...(nbf === undefined && { validFrom: roundTime(now).getTime() }),
    vc: { '@context': context, type: types, ...rest },
  }
}

interface Frame {
  sub?: string
  aud?: string
  nbf?: number
  exp?: number
  iat?: number
}

/** The claims that both have, as what signs has them. Throws `bad_request` for one that would never be valid. */
function frameOf({ sub, aud, nbf, exp, iat }: Frame) {
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
