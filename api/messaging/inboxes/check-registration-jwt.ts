import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose'
import { unixSeconds } from '../../../shared/clock.ts'
import { DidError } from '../../../shared/domain/identifiers/did-error.ts'
import { wrongField } from '../../../shared/errors.ts'
import { publicKeyFromJwk } from '../../../shared/formats/jwk.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'

/** Per algorithm, the curve of the keys that sign with it (RFC 7518, section 3.4, RFC 8037 and RFC 9864). */
const curves = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521', EdDSA: 'Ed25519', Ed25519: 'Ed25519' } as const

const longestSeconds = 5 * 60
const toleranceSeconds = 30

export interface RegistrationProof {
  deps: Deps
  tenant: Tenant
  deadlineAt: number
}

/**
 * That whoever has the DID wants its messages to come to this tenant: a JWT that a key under `authentication` of the DID's
 * document signed, for this tenant, not long ago (decisions: messages). It may come again while it is valid: all that it
 * allows is what it allowed before, to the operators of the same tenant. Throws `bad_request`.
 */
export async function checkRegistrationJwt(proof: RegistrationProof, did: string, jwt: string): Promise<void> {
  const { clock } = proof.deps
  const { alg, keyId } = readHeader(jwt, did)
  const key = await authenticationKey(proof, keyId, alg)
  const payload = await verified(proof, jwt, did, { alg, key })
  if ((payload.exp ?? Number.POSITIVE_INFINITY) > unixSeconds(clock.now()) + longestSeconds + toleranceSeconds)
    throw refuse('Its exp must be at most five minutes away')
}

type Algorithm = keyof typeof curves

/** The `kid` is a DID URL of the DID, its fragment, or left out where the DID has one key of the kind. */
function readHeader(jwt: string, did: string): { alg: Algorithm; keyId: string } {
  const { alg = '', kid = did } = headerOf(jwt)
  if (!isKnown(alg)) throw refuse(`Its alg must be one of ${Object.keys(curves).join(', ')}`)
  const keyId = kid.startsWith('#') ? `${did}${kid}` : kid
  if (keyId !== did && !keyId.startsWith(`${did}#`)) throw refuse('Its kid must be a key of the DID')
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
    if (error instanceof errors.JWTExpired) throw refuse('It is expired')
    if (error instanceof errors.JWTClaimValidationFailed)
      throw refuse(claimFaults[error.claim] ?? `Its ${error.claim} is wrong`)
    if (error instanceof errors.JWSSignatureVerificationFailed) throw refuse('Its signature is not of a key of the DID')
    if (error instanceof errors.JOSEError || error instanceof TypeError) throw refuse('It is not a JWT')
    throw error
  }
}

const claimFaults: Record<string, string> = {
  iss: 'Its iss must be the DID',
  aud: 'Its aud must be the base URL',
  exp: 'It must have an exp',
}

function refuse(what: string) {
  return wrongField('jwt', what)
}
