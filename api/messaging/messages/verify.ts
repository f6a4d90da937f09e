import { DidError } from '../../../shared/domain/identifiers/did-error.ts'
import { Problem, wrongField } from '../../../shared/errors/errors.ts'
import { type CompactJws, readCompactJws, signingCurves } from '../../../shared/formats/compact-jws.ts'
import type { DidKey } from '../../../shared/formats/did-document-keys.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { decode } from '../../http/body.ts'
import { parseJson } from '../../http/json.ts'
import { didOf, type MessageContext } from './agreement-keys.ts'

/**
 * Verifies that the key of `kid` signed the JWS, and that the key belongs to the issuer in the payload (`iss`). Throws `bad_request`
 * for an input that is not a JWS with a DID URL as `kid`.
 */
export async function verifyMessage(context: Omit<MessageContext, 'tenantId'>, text: string) {
  const jws = read(text)
  const payload = payloadIn(jws.payload)
  const key = await signingKeyOf(context, jws.kid)
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
    if (error instanceof Problem) throw wrongField('jws', 'Its payload must be JSON without duplicate members')
    throw error
  }
}

/** Finds the key under `authentication` or `assertionMethod`, the two purposes of signatures by the DID itself. */
async function signingKeyOf(
  { deps, deadlineAt }: Omit<MessageContext, 'tenantId'>,
  kid: string,
): Promise<DidKey | DidError> {
  const options = { curves: signingCurves, deadlineAt }
  try {
    return await deps.dids.keyOf(kid, 'authentication', options).catch((error: unknown) => {
      if (!(error instanceof DidError) || error.reason !== 'no_such_key') throw error
      return deps.dids.keyOf(kid, 'assertionMethod', options)
    })
  } catch (error) {
    if (error instanceof DidError) return error
    throw error
  }
}

/** Returns true for a payload without `iss`, which names no issuer. */
function isOfIssuer(payload: unknown, { did, keyId }: DidKey): boolean {
  if (typeof payload !== 'object' || payload === null || !('iss' in payload)) return true
  return payload.iss === did || payload.iss === keyId
}
