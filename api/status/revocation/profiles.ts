import type { RevocationListKind } from '../../../db/tables/status/lists.ts'

/** The differences between the status operations of the profiles. */
interface RevocableProfile {
  /** The part of operation ids, for example in `setCompactRevocationStatus`. */
  word: string
  tag: string
  events: { setStatus: string; retrieveStatus: string }
  /** Whether the response to a status change has the new status. Otherwise the response is empty. */
  answersWithStatus: boolean
}

export const revocableProfiles = {
  compact: {
    word: 'Compact',
    tag: 'Compact',
    events: {
      setStatus: 'CREDENTIAL_COMPACT_REVOCATION_SET_STATUS',
      retrieveStatus: 'CREDENTIAL_COMPACT_REVOCATION_STATUS_RETRIEVE',
    },
    answersWithStatus: true,
  },
  'compact-semantic': {
    word: 'CompactSemantic',
    tag: 'Compact semantic',
    events: {
      setStatus: 'CREDENTIAL_COMPACT_SEMANTIC_REVOCATION_SET_STATUS',
      retrieveStatus: 'CREDENTIAL_COMPACT_SEMANTIC_REVOCATION_STATUS_RETRIEVE',
    },
    answersWithStatus: true,
  },
  'web-semantic': {
    word: 'WebSemantic',
    tag: 'Web semantic',
    events: {
      setStatus: 'CREDENTIAL_WEB_SEMANTIC_REVOCATION_SET_STATUS',
      retrieveStatus: 'CREDENTIAL_WEB_SEMANTIC_REVOCATION_RETRIEVE',
    },
    answersWithStatus: false,
  },
} as const satisfies Record<RevocationListKind, RevocableProfile>

// Boundary: the table has no other keys.
export const revocableProfileNames = Object.keys(revocableProfiles) as RevocationListKind[]
