import type { RevocationListKind } from '../../../db/tables/status/lists.ts'

/** What the operations on the status of one profile's credentials have for themselves. */
interface RevocableProfile {
  /** As operations have it: `setCompactRevocationStatus`. */
  word: string
  tag: string
  events: { setStatus: string; retrieveStatus: string }
  /** Whether setting a status is answered with it; otherwise the answer is empty. */
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
