import { verify, X509Certificate } from 'node:crypto'
import { decode, encode, Tag } from 'cbor2'
import { must } from './outside.ts'

type Cbor = Map<unknown, unknown>

interface Mobile {
  until: Date
  list?: { url: string; index: number }
  from: Date
  signer: X509Certificate
}

/** Reads an mdoc and verifies the signature of its MSO with the certificate in it. */
export function readMobile(credential: string): Mobile {
  const issuerSigned = read<Cbor>(Buffer.from(credential, 'base64url'))
  const { signer, payload } = readSign1(issuerSigned.get('issuerAuth'))
  const tagged = read<Tag>(payload)
  const mso = read<Cbor>(tagged.contents as Uint8Array)
  const validity = mso.get('validityInfo') as Cbor
  const reference = ((mso.get('status') as Cbor | undefined)?.get('status_list') ?? undefined) as Cbor | undefined
  return {
    signer,
    from: validity.get('validFrom') as Date,
    until: validity.get('validUntil') as Date,
    ...(reference && { list: { url: reference.get('uri') as string, index: reference.get('idx') as number } }),
  }
}

/** Reads a COSE_Sign1, tagged or not, and verifies it with the first certificate of its chain. */
export function readSign1(content: unknown): { signer: X509Certificate; payload: Uint8Array; header: Cbor } {
  const parts = content instanceof Tag ? content.contents : content
  const [protectedBytes, unprotected, payload, signature] = parts as [Uint8Array, Cbor, Uint8Array, Uint8Array]
  const header = read<Cbor>(protectedBytes)
  const chain = header.get(33) ?? unprotected.get(33)
  const signer = new X509Certificate(Buffer.from((Array.isArray(chain) ? chain[0] : chain) as Uint8Array))
  const bytes = (part: Uint8Array) => new Uint8Array(part)
  const signed = encode(['Signature1', bytes(protectedBytes), new Uint8Array(), bytes(payload)])
  must(
    verify('sha256', signed, { key: signer.publicKey, dsaEncoding: 'ieee-p1363' }, signature),
    'a COSE signature is wrong',
  )
  return { signer, payload, header }
}

export function read<Value>(bytes: Uint8Array): Value {
  // From a Buffer, cbor2 would make Buffers. It writes Buffers as maps.
  return decode<Value>(new Uint8Array(bytes), { preferMap: true })
}
