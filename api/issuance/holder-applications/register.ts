import type { z } from 'zod'
import { countInstance, findHolderApplication } from '../../../db/repos/issuance/holder-applications.ts'
import { type HolderInstanceRow, insertHolderInstance } from '../../../db/repos/issuance/holder-instances.ts'
import { spendProofs } from '../../../db/repos/issuance/sessions/spent-proofs.ts'
import type { AndroidSettings } from '../../../db/tables/issuance/holder-applications.ts'
import { defaultQuotas } from '../../../shared/domain/tenancy/limits.ts'
import { notFound, Problem, wrongField } from '../../../shared/errors/errors.ts'
import { readAndroidAttestation } from '../../../shared/formats/android-attestation.ts'
import { googleAttestationRoots } from '../../../shared/formats/android-roots.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { type PublicJwk, parsePublicJwk, thumbprint } from '../../../shared/formats/jwk.ts'
import { hashSecret, newId } from '../../../shared/ids.ts'
import { countRegistration } from '../../access/limits.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { challengeExpiry, isChallenge } from './challenge.ts'
import type { NewHolderInstance } from './schemas.ts'

type Registration = z.output<typeof NewHolderInstance>

/**
 * Registers an instance of an app with its key. The challenge must belong to the application and be unused, and the
 * device must attest what the application requires. Throws `bad_request` with the first fault and stores nothing.
 * Applications that do not require attestation count each attempt against the client's address.
 */
export async function registerInstance(
  deps: Deps,
  tenant: Tenant,
  applicationId: string,
  registration: Registration,
  clientAddress: string,
): Promise<HolderInstanceRow> {
  const application = await findHolderApplication(deps.db.read, tenant.id, applicationId)
  if (!application) throw notFound('applicationId', applicationId)
  if (!('packageName' in application.settings)) throw notSupported()
  const { required } = application.settings.keyAttestation
  if (!required) await countRegistration(deps, tenant, clientAddress)
  const { challenge, keyAttestation } = registration
  const expiresAt = challengeExpiry(deps, tenant, applicationId, challenge)
  if (!expiresAt)
    throw wrongField('challenge', 'The challenge belongs to another application or has expired. Request a new one.')
  const publicJwk = signingKeyOf(registration)
  const at = deps.clock.now()
  if (required && keyAttestation.length === 0) throw wrongField('keyAttestation', 'Required')
  const isAttested = keyAttestation.length > 0
  if (isAttested) checkAttestation(application.settings, registration, publicJwk, at)
  const row: HolderInstanceRow = {
    id: newId(),
    tenantId: tenant.id,
    applicationId,
    appAttestationType: isAttested ? 'android-key-attestation' : 'none',
    publicJwk,
    deviceDetails: registration.deviceDetails,
    sdkDetails: registration.sdkDetails,
    lastAttestedAt: isAttested ? at : null,
    createdAt: at,
  }
  await store(deps, tenant, row, { challenge, expiresAt })
  return row
}

function notSupported(): Problem {
  const msg = 'Instances of iOS apps cannot be registered'
  return new Problem('bad_request', {
    message: 'Not supported',
    details: [{ msg: `Not supported: ${msg}`, param: 'applicationId', location: 'params' }],
  })
}

function signingKeyOf({ publicKeyJwk }: Registration): PublicJwk {
  const jwk = translated('publicKeyJwk', () => parsePublicJwk(publicKeyJwk))
  if (jwk.crv === 'X25519') throw wrongField('publicKeyJwk', 'Must be a key for signatures')
  return jwk
}

function checkAttestation(
  settings: AndroidSettings,
  { challenge, keyAttestation }: Registration,
  publicJwk: PublicJwk,
  at: Date,
): void {
  const { required, rootCertificates } = settings.keyAttestation
  const roots = rootCertificates.length > 0 ? rootCertificates : googleAttestationRoots
  const attested = translated('keyAttestation', () => readAndroidAttestation({ chain: keyAttestation, roots, at }))
  if (!isChallenge(attested.challenge, challenge)) throw refused('it contains another challenge')
  if (thumbprint(attested.publicJwk) !== thumbprint(publicJwk))
    throw refused('it attests another key than publicKeyJwk')
  if (required && !attested.isInHardware) {
    throw refused('the security level is neither TrustedEnvironment nor StrongBox')
  }
  if (!attested.packageNames.includes(settings.packageName)) throw refused('the package name does not match')
  const thumbprints = new Set(settings.packageSigningCertificateThumbprints)
  const { signingCertificates } = attested
  if (signingCertificates.length === 0 || !signingCertificates.every((each) => thumbprints.has(each))) {
    throw refused('the thumbprint of the package signing certificate is not in packageSigningCertificateThumbprints')
  }
}

/** Stores the instance if the challenge is unused and the quota allows it. */
async function store(
  { db }: Deps,
  tenant: Tenant,
  row: HolderInstanceRow,
  { challenge, expiresAt }: { challenge: string; expiresAt: Date },
): Promise<void> {
  const max = tenant.settings.limits.holderInstances ?? defaultQuotas.holderInstances
  // The hash starts with the time, so that values spent together are stored together.
  const hash = `${expiresAt.toISOString()} ${hashSecret(`holder_challenge ${challenge}`)}`
  await db.tx(async (tx) => {
    if (!(await spendProofs(tx, tenant.id, [{ hash, expiresAt }])))
      throw wrongField('challenge', 'The challenge was used before. Request a new one.')
    await insertHolderInstance(tx, row)
    // This lock comes last, because all instances of an application wait for this row.
    if (await countInstance(tx, tenant.id, row.applicationId, max)) return
    const isThere = await findHolderApplication(tx, tenant.id, row.applicationId)
    if (!isThere) throw notFound('applicationId', row.applicationId)
    throw new Problem('conflict', { message: `An application can have at most ${max} instances. Delete one first.` })
  })
}

function translated<Result>(param: 'publicKeyJwk' | 'keyAttestation', read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    throw param === 'keyAttestation' ? refused(error.message) : wrongField(param, `Not acceptable: ${error.message}`)
  }
}

function refused(reason: string): Problem {
  return wrongField('keyAttestation', `Not acceptable: ${reason}`)
}
