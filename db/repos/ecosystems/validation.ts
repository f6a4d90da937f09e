import { and, desc, eq, exists, not, or } from 'drizzle-orm'
import type { CredentialProfile } from '../../../shared/profiles.ts'
import type { Reader } from '../../client.ts'
import { ecosystemCredentialTypes as types } from '../../tables/ecosystems/credential-types.ts'
import { ecosystems } from '../../tables/ecosystems/ecosystems.ts'
import {
  participantCredentialTypes as assignments,
  participantIdentifiers as identifiers,
  type ParticipantRole,
  participants,
} from '../../tables/ecosystems/participants.ts'

/**
 * Of the ecosystems of a tenant in which whoever has the identifier may issue or verify credentials of the type, the one that
 * was changed last. Undefined when there is none.
 */
export async function findTrustingEcosystem(
  db: Reader,
  tenantId: string,
  {
    role,
    profile,
    identifier,
    type,
  }: {
    role: ParticipantRole
    profile: CredentialProfile
    identifier: string
    type: string
  },
): Promise<{ id: string; policyModifiedAt: Date } | undefined> {
  const { isIssuer, isVerifier, isIssuerConstrained, isVerifierConstrained } = participants
  const [has, isConstrained] = role === 'issuer' ? [isIssuer, isIssuerConstrained] : [isVerifier, isVerifierConstrained]
  const assigned = db
    .select({ id: assignments.credentialTypeId })
    .from(assignments)
    .where(
      and(
        eq(assignments.participantId, participants.id),
        eq(assignments.role, role),
        eq(assignments.credentialTypeId, types.id),
      ),
    )
  const ofType = and(eq(types.ecosystemId, identifiers.ecosystemId), eq(types.profile, profile), eq(types.type, type))
  const [found] = await db
    .select({ id: ecosystems.id, policyModifiedAt: ecosystems.policyModifiedAt })
    .from(identifiers)
    .innerJoin(participants, eq(participants.id, identifiers.participantId))
    .innerJoin(types, ofType)
    // What was in an ecosystem that is deleted is there for a while.
    .innerJoin(ecosystems, and(eq(ecosystems.id, identifiers.ecosystemId), eq(ecosystems.tenantId, tenantId)))
    .where(
      and(
        eq(identifiers.tenantId, tenantId),
        eq(identifiers.profile, profile),
        eq(identifiers.identifier, identifier),
        eq(participants.status, 'Active'),
        has,
        or(not(isConstrained), exists(assigned)),
      ),
    )
    .orderBy(desc(ecosystems.policyModifiedAt))
    .limit(1)
  return found
}
