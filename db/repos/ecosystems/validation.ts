import { and, desc, eq, exists, gte, lte, not, or, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { CredentialProfile, DidProfile } from '../../../shared/domain/issuance/profiles.ts'
import type { Reader } from '../../client.ts'
import { ecosystemCredentialTypes as types } from '../../tables/ecosystems/credential-types.ts'
import { ecosystems } from '../../tables/ecosystems/ecosystems.ts'
import {
  integratedCertificates as integrated,
  ecosystemIntegrations as integrations,
} from '../../tables/ecosystems/integrations.ts'
import { participantCertificates as certificates } from '../../tables/ecosystems/participant-certificates.ts'
import {
  participantCredentialTypes as assignments,
  participantIdentifiers as identifiers,
  type ParticipantRole,
  participants,
} from '../../tables/ecosystems/participants.ts'

export interface TrustingEcosystem {
  id: string
  policyModifiedAt: Date
}

const chosen = { id: ecosystems.id, policyModifiedAt: ecosystems.policyModifiedAt }

/**
 * Of the ecosystems of a tenant in which whoever has the identifier may issue or verify credentials of the type, the one that
 * was changed last. Undefined when there is none.
 */
export async function findTrustingEcosystem(
  db: Reader,
  tenantId: string,
  { role, profile, identifier, type }: { role: ParticipantRole; profile: DidProfile; identifier: string; type: string },
): Promise<TrustingEcosystem | undefined> {
  const [found] = await db
    .select(chosen)
    .from(identifiers)
    .innerJoin(participants, eq(participants.id, identifiers.participantId))
    .innerJoin(types, typeIn(identifiers.ecosystemId, profile, type))
    .innerJoin(ecosystems, stillThere(identifiers.ecosystemId, tenantId))
    .where(
      and(
        eq(identifiers.tenantId, tenantId),
        eq(identifiers.profile, profile),
        eq(identifiers.identifier, identifier),
        mayUseType(db, role),
      ),
    )
    .orderBy(desc(ecosystems.policyModifiedAt))
    .limit(1)
  return found
}

interface AskedOfCertificate {
  role: ParticipantRole
  /** Hex. */
  fingerprint: string
  type: string
  at: Date
}

/**
 * The same of whoever has a certificate for mobile credentials, which counts and is valid then. Of lists of others, VICALs alone count, and
 * for issuers alone.
 */
export async function findCertificateTrust(
  db: Reader,
  tenantId: string,
  asked: AskedOfCertificate,
): Promise<TrustingEcosystem | undefined> {
  const own = await findOfParticipants(db, tenantId, asked)
  const listed = asked.role === 'issuer' ? await findOfIntegrations(db, tenantId, asked) : undefined
  return own && listed ? (own.policyModifiedAt < listed.policyModifiedAt ? listed : own) : (own ?? listed)
}

async function findOfIntegrations(
  db: Reader,
  tenantId: string,
  { fingerprint, type, at }: AskedOfCertificate,
): Promise<TrustingEcosystem | undefined> {
  // One for each list that has it, who are few.
  const found = await db
    .select({ ...chosen, docTypes: integrated.docTypes })
    .from(integrated)
    .innerJoin(
      integrations,
      and(
        eq(integrations.id, integrated.integrationId),
        eq(integrations.format, 'VICAL'),
        sql`${integrations.enabled}`,
      ),
    )
    .innerJoin(types, typeIn(integrated.ecosystemId, 'mobile', type))
    .innerJoin(ecosystems, stillThere(integrated.ecosystemId, tenantId))
    .where(
      and(
        eq(integrated.tenantId, tenantId),
        eq(integrated.fingerprint, fingerprint),
        lte(integrated.notBefore, at),
        gte(integrated.notAfter, at),
      ),
    )
    .orderBy(desc(ecosystems.policyModifiedAt))
  return found.find(({ docTypes }) => docTypes.includes(type))
}

async function findOfParticipants(
  db: Reader,
  tenantId: string,
  { role, fingerprint, type, at }: AskedOfCertificate,
): Promise<TrustingEcosystem | undefined> {
  // One for each participant that has it, who are few.
  const found = await db
    .select({ ...chosen, docTypes: certificates.docTypes })
    .from(certificates)
    .innerJoin(participants, eq(participants.id, certificates.participantId))
    .innerJoin(types, typeIn(certificates.ecosystemId, 'mobile', type))
    .innerJoin(ecosystems, stillThere(certificates.ecosystemId, tenantId))
    .where(
      and(
        eq(certificates.tenantId, tenantId),
        eq(certificates.fingerprint, fingerprint),
        eq(certificates.role, role),
        certificates.active,
        lte(certificates.notBefore, at),
        gte(certificates.notAfter, at),
        mayUseType(db, role),
      ),
    )
    .orderBy(desc(ecosystems.policyModifiedAt))
  return found.find(({ docTypes }) => docTypes === null || docTypes.includes(type))
}

function typeIn(ecosystemId: PgColumn, profile: CredentialProfile, type: string) {
  return and(eq(types.ecosystemId, ecosystemId), eq(types.profile, profile), eq(types.type, type))
}

/** What was in an ecosystem that is deleted is there for a while. */
function stillThere(ecosystemId: PgColumn, tenantId: string) {
  return and(eq(ecosystems.id, ecosystemId), eq(ecosystems.tenantId, tenantId))
}

/** The participant is active in its role, and the type is assigned to it where it is constrained. */
function mayUseType(db: Reader, role: ParticipantRole) {
  const { isIssuer, isVerifier, isIssuerConstrained, isVerifierConstrained, status } = participants
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
  return and(eq(status, 'Active'), has, or(not(isConstrained), exists(assigned)))
}
