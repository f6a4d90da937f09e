import { expect, test } from 'vitest'
import { certificateFromStrictPem } from '../../../shared/formats/certificate.ts'
import { newCertificate, pemOf } from '../../certificates/certificates.ts'

test('a certificate is read with white space around and in its lines', async () => {
  const pem = pemOf(await newCertificate({ name: 'Root', ca: true }))
  const fingerprint = certificateFromStrictPem(pem).fingerprint256
  for (const same of [`\n ${pem}\n\n`, pem.replaceAll('\n', '\r\n'), pem.replace('-----\n', '-----\n\n')])
    expect(certificateFromStrictPem(same).fingerprint256).toBe(fingerprint)
})

test.for([' ', '\n', 'A', 'A '])(
  'a block of %j without an end is refused in a time that grows with its length',
  (fill) => {
    // A pattern that could split the block in several ways would take hours.
    const pem = `-----BEGIN CERTIFICATE-----\n${fill.repeat(100_000)}`
    expect(() => certificateFromStrictPem(pem)).toThrow('not one certificate in PEM')
  },
)
