import { z } from 'zod'
import { ClaimsObject, Timestamp } from '../../http/fields.ts'
import { CursorText } from '../../http/page.ts'

/** Names at a provider. PostgreSQL cannot keep U+0000 in text, and no identifier needs control characters. */
const Identifier = z
  .string()
  .min(1)
  .max(500)
  .regex(/^\P{Cc}*$/u, 'Must not hold control characters')

export const NewUser = z.object({
  claims: ClaimsObject.optional(),
  authenticationProvider: z.object({ providerId: z.string().max(200), subjectId: Identifier }).optional(),
})

export const UserChanges = NewUser.describe('What is given is replaced as a whole, the rest stays')

/** How many values a search may name: each costs every page a look-up. */
const mostCriteria = 20

export const UserSearch = z.object({
  claims: ClaimsObject.refine(
    (claims) => leavesOf(claims) <= mostCriteria,
    `Must not name more than ${mostCriteria} values`,
  )
    .optional()
    .describe('Objects are compared member by member, everything else must be equal'),
  authenticationProvider: z.object({ providerId: Identifier.optional(), subjectId: Identifier.optional() }).optional(),
  limit: z.int().min(1).max(1000).default(100),
  cursor: CursorText.optional(),
})

export const UserView = z.object({
  id: z.string(),
  claims: ClaimsObject,
  authenticationProvider: z
    .object({ providerId: z.string(), url: z.string().optional(), subjectId: z.string() })
    .optional(),
})

export const CredentialRecordView = z.object({
  id: z.string(),
  type: z.string(),
  profile: z.enum(['mobile', 'compact', 'compact-semantic', 'web-semantic']),
  offerId: z.string().optional(),
  sessionId: z.string(),
  credentialConfigurationId: z.string(),
  devicePublicKey: z.record(z.string(), z.unknown()),
  namespaces: z
    .record(z.string(), z.record(z.string(), z.object({ digestID: z.int(), digest: z.string() })))
    .optional()
    .describe('Of mobile credentials: the digest of each element, by namespace'),
  msoHash: z.string().optional().describe('Of mobile credentials: SHA-256 of the mobile security object, base64url'),
  issuedDate: Timestamp,
  validFrom: Timestamp,
  validUntil: Timestamp.optional(),
  status: z.enum(['valid', 'invalid', 'suspended']),
})

function leavesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 1
  const members = Object.values(value)
  return members.length === 0 ? 1 : members.reduce((sum: number, each) => sum + leavesOf(each), 0)
}
