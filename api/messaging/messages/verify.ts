import { DidError } from '../../../shared/domain/identifiers/did-error.ts'
import { Problem, wrongField } from '../../../shared/errors.ts'
import { type CompactJws, readCompactJws, signingCurves } from '../../../shared/formats/compact-jws.ts'
import type { DidKey } from '../../../shared/formats/did-document-keys.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { decode } from '../../http/body.ts'
import { parseJson } from '../../http/json.ts'
import { type Asking, didOf } from './agreement-keys.ts'

/**
 * Whether the key that `kid` names signed it, and whether that is a key of who the payload says it is from (`iss`). What
 * cannot be read as a JWS of a DID's key is `bad_request`.
 */
export async function verify(asking: Omit<Asking, 'tenantId'>, text: string) {
  const jws = read(text)
  const payload = payloadIn(jws.payload)
  const key = await signingKeyOf(asking, jws.kid)
  if (key instanceof DidError && key.reason === 'invalid_did') throw wrongField('jws', `Its kid: ${key.message}`)
  if (key instanceof DidError) return { verified: false, didUrl: jws.kid, did: didOf(jws.kid) }
  const signer = { didUrl: key.keyId, did: key.did, signerPublicJwk: key.publicJwk }
  if (!jws.isSignedWith(key.publicJwk)) return { verified: false, ...signer }
  return { verified: isOfIssuer(payload, key), payload, ...signer }
}

function read(text: string): CompactJws {
  try {
    return readCompactJws(text)
  } catch (error) {
    if (error instanceof FormatError) throw wrongField('jws', error.message)
    throw error
  }
}

function payloadIn(bytes: Buffer): unknown {
  try {
    return parseJson(decode(bytes))
  } catch (error) {
    if (error instanceof Problem) throw wrongField('jws', 'Its payload is no JSON, or none that has one meaning only')
    throw error
  }
}

/** Of the purposes that stand for "signed by". */
async function signingKeyOf({ deps, deadlineAt }: Omit<Asking, 'tenantId'>, kid: string): Promise<DidKey | DidError> {
  const wanted = { curves: signingCurves, deadlineAt }
  try {
    return await deps.dids.keyOf(kid, 'authentication', wanted).catch((error: unknown) => {
      if (!(error instanceof DidError) || error.reason !== 'no_such_key') throw error
      return deps.dids.keyOf(kid, 'assertionMethod', wanted)
    })
  } catch (error) {
    if (error instanceof DidError) return error
    throw error
  }
}

/** A payload without `iss` says nothing of who it is from. */
function isOfIssuer(payload: unknown, { did, keyId }: DidKey): boolean {
  if (typeof payload !== 'object' || payload === null || !('iss' in payload)) return true
  return payload.iss === did || payload.iss === keyId
}
