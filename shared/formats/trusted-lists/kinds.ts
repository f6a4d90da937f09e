/** The lists of an ecosystem: authorities of issuers (ISO/IEC 18013-5, annex C), and of readers (second edition, annex F). */
export type TrustedListKind = 'vical' | 'rical'

/** The kinds of lists. A VICAL has its chain in the unprotected COSE header (C.1.7.1). A RICAL has it in the protected one (F.3). */
interface KindOfList {
  /** The role of the listed authorities. */
  lists: 'issuer' | 'verifier'
  /** The policy of the role with the same certificates. It is published and deleted together with the list. */
  hasPolicy: boolean
  keys: { provider: string; number: string; url: string }
  isChainProtected: boolean
  /** OIDs of extended key usage. A signer must have one of them. Absent if none is defined. */
  purposes?: readonly string[]
}

export const trustedListKinds: Record<TrustedListKind, KindOfList> = {
  vical: {
    lists: 'issuer',
    hasPolicy: false,
    keys: { provider: 'vicalProvider', number: 'vicalIssueID', url: 'vicalURL' },
    isChainProtected: false,
    // The OID of the first edition, and the one that the second edition also recommends.
    purposes: ['1.0.18013.5.1.8', '1.0.23220.4.1.8'],
  },
  rical: {
    lists: 'verifier',
    hasPolicy: true,
    keys: { provider: 'provider', number: 'id', url: 'latestRicalUrl' },
    isChainProtected: true,
  },
}

/** The `type` of a RICAL with authorities of mdoc readers (annex F). */
export const readerAuthenticationType = 'org.iso.18013.5.1.reader_authentication'

/** Accepted difference between the clocks of publisher and reader, in milliseconds (ISO/IEC 18013-5, C.1.6.4). */
export const clocksApartMs = 3 * 60_000
