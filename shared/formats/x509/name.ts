import { AsnConvert } from '@peculiar/asn1-schema'
import { AttributeTypeAndValue, AttributeValue, Name, RelativeDistinguishedName } from '@peculiar/asn1-x509'

/** The subject of a certificate. Other attributes are not written. */
export interface CertificateSubject {
  /** Two upper-case letters. */
  country: string
  stateOrProvinceName?: string
  organisationName?: string
  commonName: string
}

/** The attribute types of RFC 5280, appendix A.1. */
const attributes = {
  country: '2.5.4.6',
  stateOrProvinceName: '2.5.4.8',
  organisationName: '2.5.4.10',
  commonName: '2.5.4.3',
} as const satisfies Record<keyof CertificateSubject, string>

/** Builds a name with the country first and the common name last. Text that a PrintableString cannot have is a UTF8String. */
export function nameOf(subject: CertificateSubject): Name {
  const members = Object.entries(attributes).flatMap(([member, type]) => {
    const text = subject[member as keyof CertificateSubject]
    return text === undefined ? [] : [new AttributeTypeAndValue({ type, value: attributeValueOf(text) })]
  })
  return new Name(members.map((member) => new RelativeDistinguishedName([member])))
}

/** The characters of a PrintableString (X.680, clause 41.4). */
function attributeValueOf(text: string): AttributeValue {
  return new AttributeValue(/^[A-Za-z0-9 '()+,\-./:=?]*$/.test(text) ? { printableString: text } : { utf8String: text })
}

/** Returns the text of the first attribute of a type. */
export function attributeIn(name: Name, member: keyof CertificateSubject): string | undefined {
  const type = attributes[member]
  return name
    .flatMap((each) => [...each])
    .find((each) => each.type === type)
    ?.value.toString()
}

/** Reads the attributes of a name in DER for display. Throws for any other bytes. */
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

/** Returns how often a name has an attribute. */
export function countIn(name: Name, member: keyof CertificateSubject): number {
  return name.flatMap((each) => [...each]).filter(({ type }) => type === attributes[member]).length
}

/** Returns a name as a subject, or undefined without a country or a common name. */
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
