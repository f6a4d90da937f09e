import type { SignedBefore } from '../../../db/repos/credentials/signed.ts'
import type { TenantRow } from '../../../db/repos/tenancy/tenants.ts'
import { roundTime } from '../../../shared/domain/issuance/credential-times.ts'
import { Problem, wrongField } from '../../../shared/errors/errors.ts'
import type { SdJwtContent, SignatureRequest } from '../../../shared/jobs/payloads.ts'
import type { CertificateSigner } from '../certificates/signer-cache.ts'
import { sdJwtSigner } from '../certificates/signers.ts'
import type { SigningDeps } from '../deps.ts'
import { signSdJwtCopies } from '../formats/sd-jwt.ts'
import { baseUrlOf } from '../lists/issuer-list.ts'
import { sdJwtSeries } from '../lists/list-series.ts'
import type { Started } from '../start-each.ts'
import type { SignedDirectly } from './commit-signatures.ts'
import { dateFromMs } from './sign-content.ts'
import { committedStatusIndex, takeStatusIndex } from './status-index.ts'

/**
 * Signs an SD-JWT VC of an operator. Another run of the job gives the same claims with the same status index, and other salts. Throws
 * `bad_request` if no signer can sign it, and a `FormatError` for claims that do not fit the tree.
 */
export async function startSdJwtContent(
  deps: SigningDeps,
  { id: tenantId, did }: TenantRow,
  { request, content }: { request: SignatureRequest; content: SdJwtContent },
  earlier: SignedBefore | undefined,
): Promise<Started<SignedDirectly>> {
  const { type, claims, settings, holderJwk } = content
  const signer = await findSigner(deps, tenantId, settings.signerCaId)
  const own = { tenantId, did }
  const statusIndex = earlier
    ? committedStatusIndex(deps, own, 'sd-jwt', earlier)
    : await takeStatusIndex(deps, own, request, sdJwtSeries(signer.caId))
  const copy = {
    credentialId: request.credentialId,
    ...(holderJwk && { holder: { jwk: holderJwk } }),
    ...(statusIndex && { status: statusIndex }),
  }
  const input = { type, claims, settings, baseUrl: baseUrlOf(deps, own), ...timesOf(request.issuedAt, content, signer) }
  const { certificateId: signerId, caId, key } = signer
  const result = signSdJwtCopies(input, signer, [copy]).then(([signed]) => {
    if (!signed) throw new Error('one copy gives one credential')
    return { request, statusIndex, credential: signed.credential, certificateIds: [signerId, caId], signerId }
  })
  return { result, isExternal: key.isExternal === true }
}

/** The reason is for the operator, who made the request. */
async function findSigner(deps: SigningDeps, tenantId: string, caId: string | undefined): Promise<CertificateSigner> {
  try {
    return await sdJwtSigner(deps, tenantId, caId)
  } catch (error) {
    if (!(error instanceof Problem) || error.problem !== 'credential_request_denied') throw error
    throw new Problem('bad_request', { message: error.reason })
  }
}

/**
 * All times are rounded (`roundTime`), also those of the operator, and are within those of the signer. An end by a configuration is at most
 * that of the signer, as at issuance.
 */
function timesOf(askedAt: number, { settings, ...content }: SdJwtContent, { notBefore, notAfter }: CertificateSigner) {
  const requestedEnd = dateFromMs(content.validUntil)
  const isTooLate = requestedEnd !== undefined && requestedEnd > notAfter
  if (isTooLate && !content.endsBySettings) {
    throw wrongField(
      'validUntil',
      'Must not be after the end of the certificate of the signer',
      requestedEnd.toISOString(),
    )
  }
  const isCut = requestedEnd === undefined || isTooLate
  const from = dateFromMs(content.validFrom)
  const validForMs = (isCut ? notAfter : requestedEnd).getTime() - Math.max(from?.getTime() ?? 0, askedAt)
  const round = (at: Date) => roundTime(at, validForMs, settings.roundTimesTo)
  const validUntil = isCut ? notAfter : round(requestedEnd)
  const rounded = round(new Date(askedAt))
  const issuedAt = rounded > notBefore ? rounded : notBefore
  const validFrom = from ? round(from) : issuedAt
  if (validFrom < validUntil) return { issuedAt, validFrom, validUntil }
  throw wrongField('validFrom', 'Must be before the end of the certificate of the signer', validFrom.toISOString())
}
