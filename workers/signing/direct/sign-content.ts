import { roundTime } from '../../../shared/domain/issuance/credential-times.ts'
import { buildCompactCwt, buildVcCwt } from '../../../shared/formats/cwt.ts'
import type { OwnContexts } from '../../../shared/formats/own-contexts.ts'
import type { DidContent, Signature, SignatureRequest } from '../../../shared/jobs/payloads.ts'
import { signCwtCredential } from '../formats/cwt-credential.ts'
import type { IssuerKey } from '../formats/signing-input.ts'
import { signWebSemantic } from '../formats/web-semantic.ts'

interface Signing {
  key: IssuerKey
  status: { index: number; url: string } | undefined
  /** The vocabulary of the tenant (formats/vocabulary.ts). */
  vocab: string
  /** The contexts of the tenant that the content names. */
  own: OwnContexts
}

type ContentOf<Profile extends DidContent['profile']> = Extract<DidContent, { profile: Profile }>

/**
 * Signs the content of an operator by its profile. Times of the operator do not change, other times are rounded (`roundTime`). The same
 * request with the same status index gives the same credential, except for the random part of an ES256 signature. Throws a `FormatError` if
 * the format cannot express the content.
 */
export async function signContent(
  request: SignatureRequest,
  content: DidContent,
  signing: Signing,
): Promise<Signature['credential']> {
  if (content.profile === 'web-semantic') return signJsonLdContent(request, content, signing)
  return signCwtContent(request, content, signing)
}

function signCwtContent(
  { credentialId, issuerDid, issuedAt: askedAt }: SignatureRequest,
  content: ContentOf<'compact' | 'compact-semantic'>,
  { key, status }: Signing,
): Promise<string> {
  const { subject, audience, issuedAt, validFrom, validUntil } = content
  return signCwtCredential(
    content.profile,
    (frame) =>
      content.profile === 'compact'
        ? buildCompactCwt({ ...frame, type: content.type, claims: content.claims })
        : buildVcCwt({ ...frame, vc: content.vc }),
    {
      ...{ credentialId, issuerDid, key, status, subject, audience },
      issuedAt: dateFromMs(issuedAt) ?? roundTime(new Date(askedAt)),
      validFrom: dateFromMs(validFrom),
      validUntil: dateFromMs(validUntil),
    },
  )
}

function signJsonLdContent(
  { credentialId, issuerDid, issuedAt: askedAt }: SignatureRequest,
  { types, validFrom, validUntil, ...content }: ContentOf<'web-semantic'>,
  { key, status, vocab, own }: Signing,
): Promise<Signature['credential'] & object> {
  const [type = 'VerifiableCredential', ...additionalTypes] = types
  return signWebSemantic({
    ...content,
    ...{ credentialId, issuerDid, key, status, vocab, type, additionalTypes, own },
    issuedAt: roundTime(new Date(askedAt)),
    validFrom: new Date(validFrom),
    validUntil: dateFromMs(validUntil),
  })
}

export function dateFromMs(ms: number | undefined): Date | undefined {
  return ms === undefined ? undefined : new Date(ms)
}
