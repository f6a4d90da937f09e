import type { z } from 'zod'
import { roundTime } from '../../../shared/domain/issuance/credential-times.ts'
import { wrongField } from '../../../shared/errors/errors.ts'
import { credentialsContext } from '../../../shared/formats/json-ld-contexts.ts'
import type { WebSemanticContent } from '../../../shared/jobs/payloads.ts'
import { moreMembers, type NewWebSemantic } from './web-semantic-schemas.ts'

/** Maps the request body to the content of a signing job. Throws `bad_request` for a credential that would never be valid. */
export function webSemanticContent(
  { payload, tag, persist }: z.output<typeof NewWebSemantic>,
  now: Date,
): WebSemanticContent {
  const { '@context': contexts = [], type, issuer, name, description, credentialBranding } = payload
  const { id: subject, ...claims } = payload.credentialSubject
  return {
    profile: 'web-semantic',
    types: type.filter((each) => each !== 'VerifiableCredential'),
    ...aboutIssuer(issuer),
    more: moreOf(payload),
    claims,
    ...(typeof subject === 'string' && { subject }),
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(credentialBranding && { credentialBranding }),
    contexts: contexts.filter((url) => url !== credentialsContext),
    ...validityOf(payload, now),
    ...(tag !== undefined && { tag }),
    persist,
  }
}

type Payload = z.output<typeof NewWebSemantic>['payload']

function aboutIssuer(issuer: Payload['issuer']): Pick<WebSemanticContent, 'issuer' | 'isIssuerText'> {
  if (typeof issuer === 'string') return { issuer: {}, isIssuerText: true }
  const { id: _id, ...members } = issuer
  return { issuer: members }
}

function moreOf(payload: Payload): Record<string, unknown> {
  return Object.fromEntries(Object.entries(payload).filter(([name]) => Object.hasOwn(moreMembers, name)))
}

function validityOf({ issuanceDate, expirationDate: validUntil }: Payload, now: Date) {
  const validFrom = issuanceDate ?? roundTime(now).getTime()
  if (validUntil === undefined) return { validFrom }
  if (validUntil > (issuanceDate ?? now.getTime())) return { validFrom, validUntil }
  throw wrongField(
    'payload.expirationDate',
    'Must be after issuanceDate. Without issuanceDate, it must be in the future.',
  )
}
