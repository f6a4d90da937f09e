import { AttributeTypeAndValue, AttributeValue, Name, RelativeDistinguishedName } from '@peculiar/asn1-x509'

/** The subject of an access certificate of a legal person (ETSI EN 319 412-3, section 4.2.1). */
export interface AccessSubject {
  /** Two upper-case letters. */
  country: string
  /** The registered name. */
  organisationName: string
  /** The registered identifier, such as LEIXG-529900T8BM49AURSDO55 (ETSI EN 319 412-1, section 5.1.4). */
  organisationIdentifier: string
  /** The name that wallets show. */
  commonName: string
}

const attributes = {
  country: '2.5.4.6',
  organisationName: '2.5.4.10',
  organisationIdentifier: '2.5.4.97',
  commonName: '2.5.4.3',
} as const satisfies Record<keyof AccessSubject, string>

// Boundary: the keys of the table are the members.
const members = Object.keys(attributes) as (keyof AccessSubject)[]

/** Builds a name in the order of the members. The country is a PrintableString, as X.520 requires, and all others are UTF8Strings. */
export function accessNameOf(subject: AccessSubject): Name {
  const sets = members.map((member) => {
    const text = subject[member]
    const value = new AttributeValue(member === 'country' ? { printableString: text } : { utf8String: text })
    return new RelativeDistinguishedName([new AttributeTypeAndValue({ type: attributes[member], value })])
  })
  return new Name(sets)
}

/** Reads the members of a name. Of an attribute that occurs several times, it returns the first. */
export function accessSubjectIn(name: Name): Partial<AccessSubject> {
  const all = name.flatMap((each) => [...each])
  const entries = members.flatMap((member) => {
    const text = all.find(({ type }) => type === attributes[member])?.value.toString()
    return text === undefined ? [] : [[member, text] as const]
  })
  return Object.fromEntries(entries)
}
