import 'reflect-metadata'
import { createHash, createPrivateKey, createPublicKey, sign, verify, X509Certificate } from 'node:crypto'
import { DeviceResponse as Auth0Response, Verifier as Auth0Verifier } from '@auth0/mdl'
import {
  CoseKey,
  DeviceRequest,
  DocRequest,
  Holder,
  IssuerSigned,
  ItemsRequest,
  type MdocContext,
  SessionTranscript,
  Verifier,
} from '@owf/mdoc'
import * as x509 from '@peculiar/x509'
import { decode } from 'cbor2'
import { decodeCbor } from '../../shared/formats/cbor-decode.ts'
import { encodeCbor } from '../../shared/formats/cbor-encode.ts'
import type { HolderKeyPair } from '../wallets/wallet.ts'

/** An issued mdoc with what a wallet and a verifier need. */
export interface IssuedMdoc {
  /** The issued credential, base64url. */
  credential: string
  docType: string
  /** The certificate of the IACA, PEM. */
  root: string
  key: HolderKeyPair
  now?: Date
}

/**
 * Verifies a document and a presentation of it with both libraries. Throws with the message of the first check that
 * failed.
 */
export async function verifyMdoc(mdoc: IssuedMdoc, disclosed: Record<string, string[]>): Promise<void> {
  await verifyWithOwf(mdoc, disclosed)
  await verifyWithAuth0(mdoc, disclosed)
}

/** Elements by namespace, as @owf/mdoc reads them. */
export function elementsOf(credential: string): Record<string, Record<string, unknown>> {
  const { issuerNamespaces } = IssuerSigned.fromEncodedForOid4Vci(credential)
  return Object.fromEntries(
    [...issuerNamespaces.issuerNamespaces].map(([namespace, items]) => [
      namespace,
      Object.fromEntries(items.map(({ elementIdentifier, elementValue }) => [elementIdentifier, elementValue])),
    ]),
  )
}

const transcript = encodeCbor([null, null, ['OpenID4VPHandover', Buffer.alloc(32), Buffer.alloc(32), 'nonce']])

/** Verifies the signature and the chain of a document, without a presentation of it. */
export async function verifyIssuerSigned(credential: string, root: string, now?: Date): Promise<void> {
  const issuerSigned = IssuerSigned.fromEncodedForOid4Vci(credential)
  const trustedCertificates = [new Uint8Array(new X509Certificate(root).raw)]
  await Holder.verifyIssuerSigned({ issuerSigned, trustedCertificates, ...(now && { now }) }, context)
}

async function verifyWithOwf({ credential, docType, root, key, now }: IssuedMdoc, disclosed: Record<string, string[]>) {
  const issuerSigned = IssuerSigned.fromEncodedForOid4Vci(credential)
  const trustedCertificates = [new Uint8Array(new X509Certificate(root).raw)]
  const at = now ? { now } : {}
  await verifyIssuerSigned(credential, root, now)
  const namespaces = Object.fromEntries(
    Object.entries(disclosed).map(([name, elements]) => [
      name,
      Object.fromEntries(elements.map((each) => [each, false])),
    ]),
  )
  const itemsRequest = ItemsRequest.create({ docType, namespaces })
  const deviceRequest = DeviceRequest.create({ docRequests: [DocRequest.create({ itemsRequest })] })
  const sessionTranscript = await SessionTranscript.forOid4Vp(
    { clientId: 'verifier', nonce: 'nonce', responseUri: 'https://verifier.example' },
    context,
  )
  const signature = { signingKey: CoseKey.fromJwk({ ...key.privateJwk, alg: 'ES256' }) }
  const request = { deviceRequest, sessionTranscript }
  const deviceResponse = await Holder.createDeviceResponseForDeviceRequest(
    { ...request, issuerSigned: [issuerSigned], signature },
    context,
  )
  const encoded = deviceResponse.encode()
  await Verifier.verifyDeviceResponse({ ...request, deviceResponse: encoded, trustedCertificates, ...at }, context)
}

async function verifyWithAuth0({ credential, docType, root, key }: IssuedMdoc, disclosed: Record<string, string[]>) {
  const document = new Map<string, never>([
    ['docType', docType as never],
    ['issuerSigned', decodeCbor(Buffer.from(credential, 'base64url')) as never],
  ])
  const mdoc = encodeCbor(
    new Map<string, never>([
      ['version', '1.0' as never],
      ['documents', [document] as never],
      ['status', 0 as never],
    ]),
  )
  const fields = Object.entries(disclosed).flatMap(([namespace, elements]) =>
    elements.map((element) => ({ path: [`$['${namespace}']['${element}']`], intent_to_retain: false })),
  )
  const response = await Auth0Response.from(mdoc)
    .usingPresentationDefinition({
      id: 'all',
      input_descriptors: [
        {
          id: docType,
          format: { mso_mdoc: { alg: ['EdDSA', 'ES256'] } },
          constraints: { limit_disclosure: 'required', fields },
        },
      ],
    })
    .usingSessionTranscriptBytes(Buffer.from(encodeCbor({ tag: 24, value: transcript })))
    .authenticateWithSignature(key.privateJwk as never, 'ES256')
    .sign()
  const encodedSessionTranscript = Buffer.from(encodeCbor({ tag: 24, value: transcript }))
  await new Auth0Verifier([root]).verify(response.encode(), { encodedSessionTranscript })
}

const publicKeyOf = (key: CoseKey) => createPublicKey({ key: key.jwk as never, format: 'jwk' })

/** Callbacks that @owf/mdoc expects from its user, built with Node and @peculiar/x509. */
const context: MdocContext = {
  crypto: {
    digest: ({ digestAlgorithm, bytes }) => createHash(digestAlgorithm.replace('-', '')).update(bytes).digest(),
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    calculateEphemeralMacKey: () => {
      throw new Error('no MACs here')
    },
  },
  cose: {
    sign1: {
      sign({ toBeSigned, key }) {
        const privateKey = createPrivateKey({ key: key.jwk as never, format: 'jwk' })
        return sign('sha256', toBeSigned, { key: privateKey, dsaEncoding: 'ieee-p1363' })
      },
      verify: ({ key, sign1 }) =>
        verify('sha256', sign1.toBeSigned, { key: publicKeyOf(key), dsaEncoding: 'ieee-p1363' }, sign1.signature),
    },
    mac0: { sign: () => Promise.reject(new Error('no MACs here')), verify: () => false },
  },
  x509: {
    getIssuerNameField: ({ certificate, field }) => new x509.X509Certificate(certificate).issuerName.getField(field),
    getPublicKey: ({ certificate }) =>
      CoseKey.fromJwk(new X509Certificate(certificate).publicKey.export({ format: 'jwk' }) as never),
    async verifyCertificateChain({ trustedCertificates, x5chain, now = new Date() }) {
      const [leaf, ...more] = x5chain.map((each) => new X509Certificate(each))
      const root = trustedCertificates.map((each) => new X509Certificate(each)).find((each) => leaf?.checkIssued(each))
      const isTrusted = leaf && root && more.length === 0 && leaf.verify(root.publicKey)
      if (!isTrusted || leaf.validFromDate > now || leaf.validToDate < now) throw new Error('an untrusted signer')
    },
    getCertificateData({ certificate }) {
      const parsed = new X509Certificate(certificate)
      return {
        issuerName: parsed.issuer,
        subjectName: parsed.subject,
        serialNumber: parsed.serialNumber,
        thumbprint: parsed.fingerprint256,
        notBefore: parsed.validFromDate,
        notAfter: parsed.validToDate,
        pem: parsed.toString(),
      }
    },
  },
}

/** The parts of an issued mdoc. The CBOR library is neither ours nor that of the verifiers. */
export function readMdoc(credential: string) {
  const bytes = Buffer.from(credential, 'base64url')
  const preferMap = { preferMap: true } as never
  const issuerSigned = decode(bytes, preferMap) as Map<string, never>
  const [protectedBytes, unprotected, payload] = issuerSigned.get('issuerAuth') as unknown as [
    Uint8Array,
    Map<number, Uint8Array>,
    Uint8Array,
  ]
  const tagged = decode(payload, preferMap) as { tag: number; contents: Uint8Array }
  return {
    bytes,
    protectedHeader: decode(protectedBytes, preferMap) as Map<number, unknown>,
    unprotected,
    payloadTag: tagged.tag,
    msoBytes: tagged.contents,
    mso: decode(tagged.contents, preferMap) as Map<string, never>,
    /** The bytes of each IssuerSignedItem per namespace. */
    items: issuerSigned.get('nameSpaces') as unknown as Map<string, { tag: number; contents: Uint8Array }[]>,
  }
}
