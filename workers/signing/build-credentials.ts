import type { NewStoredCredential } from '../../db/repos/credentials/stored.ts'
import type { CredentialRow, UnwrittenIssuance } from '../../db/repos/issuance/issuances.ts'
import type { IssuanceToSign } from '../../db/repos/issuance/issuances-to-sign.ts'
import type { StatusEntryRow } from '../../db/repos/status/lists.ts'
import type { HolderKey, IssuedCredential } from '../../db/tables/issuance/issuances.ts'
import {
  isCertifiedProfile,
  isKeyBound,
  isRevocable,
  isStored,
  profiles,
} from '../../shared/domain/issuance/profiles.ts'
import { Problem } from '../../shared/errors/errors.ts'
import { FormatError } from '../../shared/formats/format-error.ts'
import { newIdAt } from '../../shared/ids.ts'
import { sealCredentials } from '../../shared/jobs/answered-credentials.ts'
import type { CertificateSigner } from './certificates/signer-cache.ts'
import type { SigningDeps } from './deps.ts'
import { type CredentialContent, type CredentialSigning, findSigning, type SignedCopy } from './formats/signers.ts'
import type { Copy } from './formats/signing-input.ts'
import { type ListSeries, revocationSeries, sdJwtSeries, tokenSeries } from './lists/list-series.ts'
import type { StatusIndex } from './lists/status-index-allocator.ts'
import type { Started } from './start-each.ts'
import { documentRow, sdJwtRow } from './stored-rows.ts'
import { type CredentialValidity, validityOf, validityWithin } from './validity.ts'

/** A signed issuance, not yet committed. */
export interface SignedIssuance {
  issuance: IssuanceToSign['issuance']
  /** The row and the uses of proofs that the commit writes. Absent if the issuance has a row. */
  unwritten?: UnwrittenIssuance
  credentials: IssuedCredential[]
  /** The credentials, sealed. */
  sealed: string
  records: CredentialRow[]
  /** Their entries in status lists, if they are revocable. */
  entries: StatusEntryRow[]
  /** The whole credentials, if the configuration requires their storage. */
  stored: NewStoredCredential[]
  /** The certificates of the signature, if there are any. All of them must be in use at the commit. */
  certificateIds: string[]
}

/**
 * Builds one credential for each holder key, or one without a key, and signs them. Throws `credential_request_denied`, or rejects with it,
 * if the format cannot express the claims.
 */
export async function startCredentials(deps: SigningDeps, toSign: IssuanceToSign): Promise<Started<SignedIssuance>> {
  const { issuance, configuration, issuerDid } = toSign
  const now = deps.clock.now()
  const signing = await findSigning(deps, { tenantId: issuance.tenantId, did: issuerDid }, configuration)
  const { signer } = signing
  const validity = signer ? validityWithin(toSign, now, signer) : validityOf(toSign, now)
  if (signing.keyId !== undefined) await deps.keyTerms.extendTo(issuance.tenantId, signing.keyId, validity.validUntil)
  const holders = holdersOf(toSign)
  const statusIndexes = await statusIndexesFor(deps, toSign, signer, holders.length)
  const copies = holders.map((holder, position) => ({
    // The id contains the same time as the credential.
    credentialId: newIdAt(validity.issuedAt),
    holder,
    status: statusIndexes[position],
  }))
  const signed = sign(signing, { claims: issuance.claims ?? {}, ...validity }, copies)
  const prepared = { toSign, signing, copies, validity, at: now }
  return { result: signed.then((each) => issuanceOf(deps, prepared, each)), isExternal: signing.isExternal }
}

interface Prepared {
  toSign: IssuanceToSign
  signing: CredentialSigning
  copies: { credentialId: string; holder: HolderKey | undefined; status: StatusIndex | undefined }[]
  validity: CredentialValidity
  at: Date
}

function issuanceOf(
  { secrets }: Pick<SigningDeps, 'secrets'>,
  { toSign, signing, copies, validity, at: now }: Prepared,
  signed: SignedCopy[],
): SignedIssuance {
  const { issuance, configuration } = toSign
  const { signer } = signing
  const { format } = profiles[configuration.profile]
  const credentials = signed.map(({ id, credential }) => ({ id, format, credential }))
  const records = copies.map(({ credentialId, holder }, position) => ({
    ...recordOf(toSign, credentialId, holder, position, { ...validity, issuedAt: now }),
    signerId: signing.signerId,
    ...(signed[position]?.record ?? { namespaces: null, msoHash: null }),
  }))
  const entries = copies.flatMap(({ credentialId, status }) =>
    status ? [entryOf(issuance.tenantId, credentialId, status)] : [],
  )
  const stored = credentials.flatMap((each) => storedRow(toSign, each, now))
  const certificateIds = signer ? [signer.certificateId, signer.caId] : []
  const sealed = sealCredentials(secrets, issuance.id, credentials)
  return { issuance, credentials, sealed, records, entries, stored, certificateIds }
}

/** Returns the holder of each copy. Throws `credential_request_denied` if the configuration requires keys since the request. */
function holdersOf({ issuance: { holderKeys }, configuration }: IssuanceToSign): (HolderKey | undefined)[] {
  if (holderKeys.length > 0) return holderKeys
  if (!isKeyBound(configuration)) return [undefined]
  throw new Problem('credential_request_denied', {
    message: 'The configuration requires a key of the holder',
    check: 'proof_form',
  })
}

/** Returns a status index for each copy, if the status of the credential can change. */
async function statusIndexesFor(
  deps: SigningDeps,
  { issuance, configuration, issuerDid }: IssuanceToSign,
  signer: CertificateSigner | undefined,
  count: number,
): Promise<StatusIndex[]> {
  const { tenantId } = issuance
  const series = await seriesFor(deps, tenantId, configuration, signer)
  return series ? deps.statusIndexes.take({ tenantId, did: issuerDid }, series, count) : []
}

/** Returns the series of status lists for the credentials of a configuration, if their status can change. */
export async function seriesFor(
  deps: SigningDeps,
  tenantId: string,
  configuration: IssuanceToSign['configuration'],
  signer: CertificateSigner | undefined,
): Promise<ListSeries | undefined> {
  if (!isRevocable(configuration)) return undefined
  const { profile, type: docType } = configuration
  if (!isCertifiedProfile(profile)) return revocationSeries(profile)
  if (!signer) return undefined
  return profile === 'sd-jwt' ? sdJwtSeries(signer.caId) : tokenSeries(deps, { tenantId, docType, caId: signer.caId })
}

function entryOf(tenantId: string, credentialId: string, { listId, index }: StatusIndex): StatusEntryRow {
  return { tenantId, listId, position: index, credentialId, status: 'valid' }
}

/** Each copy of a batch is stored. */
function storedRow(
  { issuance: { tenantId, userId }, configuration }: IssuanceToSign,
  { id, credential }: IssuedCredential,
  createdAt: Date,
): NewStoredCredential[] {
  if (!isStored(configuration)) return []
  const owner = { id, tenantId, userId, tag: null, createdAt }
  const { profile, type } = configuration
  return [profile === 'sd-jwt' ? sdJwtRow(credential, type, owner) : documentRow(credential, owner)]
}

async function sign(signing: CredentialSigning, content: CredentialContent, copies: Copy[]): Promise<SignedCopy[]> {
  try {
    return await signing.sign(content, copies)
  } catch (error) {
    // A mismatch is an error of this service and can be retried. Other errors mean that these claims cannot be signed.
    if (error instanceof FormatError && error.code !== 'signature_mismatch') {
      throw new Problem('credential_request_denied', { message: error.message })
    }
    throw error
  }
}

function recordOf(
  { issuance, configuration }: IssuanceToSign,
  id: string,
  holder: HolderKey | undefined,
  position: number,
  { issuedAt, validFrom, validUntil }: CredentialValidity,
): Omit<CredentialRow, 'namespaces' | 'msoHash' | 'signerId'> {
  return {
    id,
    tenantId: issuance.tenantId,
    userId: issuance.userId,
    issuanceId: issuance.id,
    profile: configuration.profile,
    type: configuration.type,
    offerId: issuance.offerId,
    sessionId: issuance.sessionId,
    viewId: issuance.viewId,
    configurationId: configuration.id,
    devicePublicKey: holder?.jwk ?? null,
    status: 'valid',
    issuedAt,
    validFrom,
    validUntil: validUntil ?? null,
    position,
  }
}
