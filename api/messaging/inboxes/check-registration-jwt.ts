import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose'
import { unixSeconds } from '../../../shared/clock.ts'
import { DidError } from '../../../shared/domain/identifiers/did-error.ts'
import { wrongField } from '../../../shared/errors/errors.ts'
import { publicKeyFromJwk } from '../../../shared/formats/jwk.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'

/** The curve of the keys for each algorithm (RFC 7518, section 3.4, RFC 8037 and RFC 9864). */
const curves = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521', EdDSA: 'Ed25519', Ed25519: 'Ed25519' } as const

const maxLifetimeSeconds = 5 * 60
const toleranceSeconds = 30

export interface RegistrationProof {
  deps: Deps
  tenant: Tenant
  deadlineAt: number
}

/**
 * Verifies that the controller of the DID agrees that this tenant receives its messages (decisions: messages). The JWT must be
 * recent, for this tenant, and signed with a key under `authentication` in the DID document. A replay of a valid JWT is harmless:
 * it allows only the same registration to operators of the same tenant. Throws `bad_request`.
 */
export async function checkRegistrationJwt(proof: RegistrationProof, did: string, jwt: string): Promise<void> {
  const { clock } = proof.deps
  const { alg, keyId } = readHeader(jwt, did)
  const key = await authenticationKey(proof, keyId, alg)
  const payload = await verified(proof, jwt, did, { alg, key })
  if ((payload.exp ?? Number.POSITIVE_INFINITY) > unixSeconds(clock.now()) + maxLifetimeSeconds + toleranceSeconds)
    throw refuse('Its exp must be at most five minutes in the future')
}

type Algorithm = keyof typeof curves

/** Reads the algorithm and the key. `kid` is a DID URL or its fragment. It can be left out if the DID has one key of this type. */
function readHeader(jwt: string, did: string): { alg: Algorithm; keyId: string } {
  const { alg = '', kid = did } = headerOf(jwt)
  if (!isKnown(alg)) throw refuse(`Its alg must be one of ${Object.keys(curves).join(', ')}`)
  const keyId = kid.startsWith('#') ? `${did}${kid}` : kid
  if (keyId !== did && !keyId.startsWith(`${did}#`)) throw refuse('Its kid must name a key of the DID')
  return { alg, keyId }
}

function headerOf(jwt: string): { alg?: string; kid?: string } {
  try {
    const { alg, kid } = decodeProtectedHeader(jwt)
    return { ...(typeof alg === 'string' && { alg }), ...(typeof kid === 'string' && { kid }) }
  } catch {
    throw refuse('It is not a JWT')
  }
}

function isKnown(alg: string): alg is Algorithm {
  return Object.hasOwn(curves, alg)
}

async function authenticationKey({ deps, deadlineAt }: RegistrationProof, keyId: string, alg: Algorithm) {
  try {
    const { publicJwk } = await deps.dids.keyOf(keyId, 'authentication', { curves: [curves[alg]], deadlineAt })
    return publicKeyFromJwk(publicJwk)
  } catch (error) {
    if (!(error instanceof DidError)) throw error
    throw error.reason === 'no_such_key' ? refuse(error.message) : wrongField('did', error.message)
  }
}

async function verified(
  { deps, tenant }: RegistrationProof,
  jwt: string,
  did: string,
  { alg, key }: { alg: Algorithm; key: ReturnType<typeof publicKeyFromJwk> },
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(jwt, key, {
      ...{ algorithms: [alg], issuer: did, audience: tenant.baseUrl, requiredClaims: ['exp'] },
      ...{ currentDate: deps.clock.now(), clockTolerance: toleranceSeconds },
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw refuse('It has expired')
    if (error instanceof errors.JWTClaimValidationFailed)
      throw refuse(claimFaults[error.claim] ?? `Its ${error.claim} is wrong`)
    if (error instanceof errors.JWSSignatureVerificationFailed)
      throw refuse('Its signature is not from a key of the DID')
    if (error instanceof errors.JOSEError || error instanceof TypeError) throw refuse('It is not a JWT')
    throw error
  }
}

const claimFaults: Record<string, string> = {
  iss: 'Its iss must be the DID',
  aud: 'Its aud must be the base URL of the tenant',
  exp: 'Its exp is missing',
}

function refuse(what: string) {
  return wrongField('jwt', what)
}
