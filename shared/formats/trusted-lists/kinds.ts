/** The lists that an ecosystem publishes: of issuers' authorities (ISO/IEC 18013-5, annex C), and of readers' (second edition, annex F). */
export type TrustedListKind = 'vical' | 'rical'

/** COSE header: a VICAL has its chain unprotected (C.1.7.1), a RICAL protected and without the root (F.3). */
interface KindOfList {
  /** Whose authorities are listed. */
  lists: 'issuer' | 'verifier'
  /** The policy of that role is published with it, of the same certificates, and deleted with it. */
  hasPolicy: boolean
  keys: { provider: string; number: string; url: string }
  isChainProtected: boolean
  /** The OIDs of extended key usage of which a signer names one; absent where none is defined. */
  purposes?: readonly string[]
}

export const trustedListKinds: Record<TrustedListKind, KindOfList> = {
  vical: {
    lists: 'issuer',
    hasPolicy: false,
    keys: { provider: 'vicalProvider', number: 'vicalIssueID', url: 'vicalURL' },
    isChainProtected: false,
    // Of the first edition, and the one that the second recommends beside it.
    purposes: ['1.0.18013.5.1.8', '1.0.23220.4.1.8'],
  },
  rical: {
    lists: 'verifier',
    hasPolicy: true,
    keys: { provider: 'provider', number: 'id', url: 'latestRicalUrl' },
    isChainProtected: true,
  },
}

/** Annex F, `type` of a RICAL that lists the authorities of mdoc readers. */
export const readerAuthenticationType = 'org.iso.18013.5.1.reader_authentication'

/** Milliseconds that the clocks of those who publish and read lists may be apart (ISO/IEC 18013-5, C.1.6.4). */
export const clocksApartMs = 3 * 60_000
