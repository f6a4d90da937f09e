import { hash } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { z } from 'zod'
import { Misconfigured } from '../../shared/process/dependency.ts'

/** The keys of the receiver of one move. The export is encrypted for one. The other signs the proof of the import. */
const ReceiverKeys = z.object({
  format: z.literal('trustwright-receiver'),
  version: z.literal(1),
  encryption: z.looseObject({ kty: z.literal('EC'), crv: z.literal('P-256') }),
  signing: z.looseObject({ kty: z.literal('EC'), crv: z.literal('P-256') }),
})
export type ReceiverKeys = Omit<z.infer<typeof ReceiverKeys>, 'encryption' | 'signing'> & {
  encryption: JWK
  signing: JWK
}

/** Makes the keys of a receiver. `public` is for the source, and `private` stays at the target. */
export async function newReceiver(): Promise<{ public: ReceiverKeys; private: ReceiverKeys }> {
  const encryption = await generateKeyPair('ECDH-ES+A256KW', { crv: 'P-256', extractable: true })
  const signing = await generateKeyPair('ES256', { extractable: true })
  const of = async (part: 'publicKey' | 'privateKey'): Promise<ReceiverKeys> => ({
    format: 'trustwright-receiver',
    version: 1,
    encryption: await exportJWK(encryption[part]),
    signing: await exportJWK(signing[part]),
  })
  return { public: await of('publicKey'), private: await of('privateKey') }
}

/** Reads the keys of a file. Throws Misconfigured if they have a private part that they must not have, or lack it. */
export function readReceiver(text: string, part: 'public' | 'private'): ReceiverKeys {
  const keys = ReceiverKeys.safeParse(parseJson(text)).data
  if (!keys) throw new Misconfigured('The file has no keys of a receiver. Make them with `npm run tenant -- receive`.')
  const isPrivate = 'd' in keys.encryption || 'd' in keys.signing
  if (isPrivate && part === 'public')
    throw new Misconfigured('These are the private keys of a receiver. Export for receiver.json, and make new keys.')
  if (!isPrivate && part === 'private')
    throw new Misconfigured('These are the public keys of a receiver. The import needs receiver-private.json.')
  // Boundary: jose checks the other members when it uses the keys.
  return keys as ReceiverKeys
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns a text by which people compare the public keys of a receiver: 32 hex digits. */
export function receiverFingerprint({ encryption, signing }: ReceiverKeys): string {
  const points = [encryption, signing].map(({ x, y }) => `${x} ${y}`)
  return hash('sha256', points.join(' '), 'hex').slice(0, 32)
}
