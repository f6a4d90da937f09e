import { AsnConvert } from '@peculiar/asn1-schema'
import { AttributeTypeAndValue, AttributeValue, Name, RelativeDistinguishedName } from '@peculiar/asn1-x509'

/** Who a certificate says that it belongs to; no other attributes are written. */
export interface CertificateSubject {
  /** Two upper-case letters. */
  country: string
  stateOrProvinceName?: string
  organisationName?: string
  commonName: string
}

/** RFC 5280, appendix A.1. */
const attributes = {
  country: '2.5.4.6',
  stateOrProvinceName: '2.5.4.8',
  organisationName: '2.5.4.10',
  commonName: '2.5.4.3',
} as const satisfies Record<keyof CertificateSubject, string>

/** Country first, the common name last. What a PrintableString cannot hold is a UTF8String. */
export function nameOf(subject: CertificateSubject): Name {
  const members = Object.entries(attributes).flatMap(([member, type]) => {
    const text = subject[member as keyof CertificateSubject]
    return text === undefined ? [] : [new AttributeTypeAndValue({ type, value: attributeValueOf(text) })]
  })
  return new Name(members.map((member) => new RelativeDistinguishedName([member])))
}

/** The characters of X.680, clause 41.4. */
function attributeValueOf(text: string): AttributeValue {
  return new AttributeValue(/^[A-Za-z0-9 '()+,\-./:=?]*$/.test(text) ? { printableString: text } : { utf8String: text })
}

/** The text of an attribute, of the first of its kind. */
export function attributeIn(name: Name, member: keyof CertificateSubject): string | undefined {
  const type = attributes[member]
  return name
    .flatMap((each) => [...each])
    .find((each) => each.type === type)
    ?.value.toString()
}

/** Reads what is shown of a name in DER. Throws where it is not a name in DER. */
export function subjectIn(der: Uint8Array): Partial<CertificateSubject> {
  const name = AsnConvert.parse(der, Name)
  const subject: Partial<CertificateSubject> = {}
  for (const member of members) {
    const text = attributeIn(name, member)
    if (text !== undefined) subject[member] = text
  }
  return subject
}

const members = ['country', 'stateOrProvinceName', 'organisationName', 'commonName'] as const

/** How often a name has an attribute. */
export function countIn(name: Name, member: keyof CertificateSubject): number {
  return name.flatMap((each) => [...each]).filter(({ type }) => type === attributes[member]).length
}

/** What is written here of a name; undefined where it has no country or no common name. */
export function certificateSubject(name: Name): CertificateSubject | undefined {
  const [country, commonName] = [attributeIn(name, 'country'), attributeIn(name, 'commonName')]
  if (country === undefined || commonName === undefined) return undefined
  const stateOrProvinceName = attributeIn(name, 'stateOrProvinceName')
  const organisationName = attributeIn(name, 'organisationName')
  return {
    country,
    ...(stateOrProvinceName !== undefined && { stateOrProvinceName }),
    ...(organisationName !== undefined && { organisationName }),
    commonName,
  }
}
