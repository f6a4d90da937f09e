import { createHash, X509Certificate } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type CborMap, type CborTag, type CborValue, isTag } from '../../shared/formats/cbor.ts'
import { decodeCbor } from '../../shared/formats/cbor-decode.ts'
import { encodeCbor } from '../../shared/formats/cbor-encode.ts'
import { parseSign1, verifySign1 } from '../../shared/formats/cose.ts'
import { standardTypeOf } from '../../shared/formats/mdoc/doc-types.ts'
import { elementValue } from '../../shared/formats/mdoc/element-types.ts'
import { deviceResponse, documentSignerCertificate, portrait } from './iso18013-5.ts'

const docType = 'org.iso.18013.5.1.mDL'
const namespace = 'org.iso.18013.5.1'
const asMap = (value: CborValue | undefined) => value as CborMap
const asTag = (value: CborValue | undefined) => value as CborTag
const inside = (item: CborValue | undefined) => decodeCbor(asTag(item).value as Uint8Array)

describe('the example of ISO/IEC 18013-5, annex D', () => {
  const document = () => asMap((asMap(decodeCbor(deviceResponse)).get('documents') as CborValue[])[0])
  const issuerSigned = () => asMap(document().get('issuerSigned'))
  const items = () => asMap(issuerSigned().get('nameSpaces')).get(namespace) as CborTag[]
  const issuerAuth = () => encodeCbor(issuerSigned().get('issuerAuth'))
  const mso = () => asMap(inside(decodeCbor(parseSign1(issuerAuth()).payload)))

  test('the encoder reproduces the bytes of the example', () => {
    expect(encodeCbor(decodeCbor(deviceResponse)).equals(deviceResponse)).toBe(true)
  })

  test('the signature verifies with the certificate of the document signer', () => {
    const certificate = parseSign1(issuerAuth()).unprotectedHeader.get(33) as Buffer
    expect(certificate.equals(documentSignerCertificate)).toBe(true)
    expect(verifySign1(issuerAuth(), new X509Certificate(certificate).publicKey).verified).toBe(true)
  })

  test('the digests of the elements equal the signed digests', () => {
    const digests = asMap(asMap(mso().get('valueDigests')).get(namespace))
    for (const item of items()) {
      const digest = createHash('sha256').update(encodeCbor(item)).digest()
      expect(digest.equals(digests.get(asMap(inside(item)).get('digestID')!) as Buffer)).toBe(true)
    }
    expect(mso().get('docType')).toBe(docType)
  })

  test('the element types of the service encode the values of the example identically', () => {
    const claims: Record<string, unknown> = {
      family_name: 'Doe',
      issue_date: '2019-10-20',
      expiry_date: '2024-10-20',
      document_number: '123456789',
      portrait: portrait.toString('base64'),
      driving_privileges: [
        { vehicle_category_code: 'A', issue_date: '2018-08-09', expiry_date: '2024-10-20' },
        { vehicle_category_code: 'B', issue_date: '2017-02-23', expiry_date: '2024-10-20' },
      ],
    }
    const elements = items().map((item) => asMap(inside(item)))
    expect(elements.map((item) => item.get('elementIdentifier'))).toEqual(Object.keys(claims))
    for (const item of elements) {
      const name = String(item.get('elementIdentifier'))
      const ours = encodeCbor(elementValue(claims[name], standardTypeOf(docType, namespace, name)))
      expect(ours.toString('hex'), name).toBe(encodeCbor(item.get('elementValue')).toString('hex'))
    }
    expect(elements.some((item) => isTag(item.get('elementValue')))).toBe(true)
  })
})
