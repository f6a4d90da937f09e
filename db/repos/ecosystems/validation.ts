import { and, desc, eq, exists, gte, inArray, lte, not, or, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { type IntegrationFormat, loteFormat } from '../../../shared/domain/ecosystems/integrations.ts'
import type { CredentialProfile, DidProfile } from '../../../shared/domain/issuance/profiles.ts'
import { pemOfDer } from '../../../shared/formats/certificate.ts'
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

const ecosystemFields = { id: ecosystems.id, policyModifiedAt: ecosystems.policyModifiedAt }

/**
 * Returns an ecosystem of the tenant in which the participant with this identifier may issue or verify credentials of
 * the type. Prefers the one that changed last. Returns undefined if there is none.
 */
export async function findTrustingEcosystem(
  db: Reader,
  tenantId: string,
  { role, profile, identifier, type }: { role: ParticipantRole; profile: DidProfile; identifier: string; type: string },
): Promise<TrustingEcosystem | undefined> {
  const [ecosystem] = await db
    .select(ecosystemFields)
    .from(identifiers)
    .innerJoin(participants, eq(participants.id, identifiers.participantId))
    .innerJoin(types, typeIn(identifiers.ecosystemId, profile, type))
    .innerJoin(ecosystems, existingEcosystem(identifiers.ecosystemId, tenantId))
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
  return ecosystem
}

/** The profiles whose issuers and verifiers have certificates. */
type CertificateProfile = 'mobile' | 'sd-jwt'

interface CertificateQuery {
  role: ParticipantRole
  profile: CertificateProfile
  /** Hex. */
  fingerprint: string
  type: string
  at: Date
}

/**
 * Returns such an ecosystem for the owner of a certificate that is active and valid. External lists count only for
 * issuers: VICALs for mobile credentials, and lists of trusted entities for both profiles.
 */
export async function findCertificateTrust(
  db: Reader,
  tenantId: string,
  query: CertificateQuery,
): Promise<TrustingEcosystem | undefined> {
  const own = await findOfParticipants(db, tenantId, query)
  const listed = query.role === 'issuer' ? await findOfIntegrations(db, tenantId, query) : undefined
  return own && listed ? (own.policyModifiedAt < listed.policyModifiedAt ? listed : own) : (own ?? listed)
}

async function findOfIntegrations(
  db: Reader,
  tenantId: string,
  { profile, fingerprint, type, at }: CertificateQuery,
): Promise<TrustingEcosystem | undefined> {
  // One row for each list with the certificate. They are few.
  const rows = await db
    .select({ ...ecosystemFields, docTypes: integrated.docTypes })
    .from(integrated)
    .innerJoin(integrations, listOf(profile))
    .innerJoin(types, typeIn(integrated.ecosystemId, profile, type))
    .innerJoin(ecosystems, existingEcosystem(integrated.ecosystemId, tenantId))
    .where(
      and(
        eq(integrated.tenantId, tenantId),
        eq(integrated.fingerprint, fingerprint),
        lte(integrated.notBefore, at),
        gte(integrated.notAfter, at),
      ),
    )
    .orderBy(desc(ecosystems.policyModifiedAt))
  return rows.find(({ docTypes }) => docTypes.includes(type))
}

/** Joins the enabled lists with issuers of a profile. A VICAL has issuers of mobile credentials only. */
function listOf(profile: CertificateProfile) {
  const formats: IntegrationFormat[] = profile === 'mobile' ? ['VICAL', loteFormat] : [loteFormat]
  return and(
    eq(integrations.id, integrated.integrationId),
    inArray(integrations.format, formats),
    sql`${integrations.enabled}`,
  )
}

async function findOfParticipants(
  db: Reader,
  tenantId: string,
  { role, profile, fingerprint, type, at }: CertificateQuery,
): Promise<TrustingEcosystem | undefined> {
  // One row for each participant with the certificate. They are few.
  const rows = await db
    .select({ ...ecosystemFields, docTypes: certificates.docTypes })
    .from(certificates)
    .innerJoin(participants, eq(participants.id, certificates.participantId))
    .innerJoin(types, typeIn(certificates.ecosystemId, profile, type))
    .innerJoin(ecosystems, existingEcosystem(certificates.ecosystemId, tenantId))
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
  return rows.find(({ docTypes }) => docTypes === null || docTypes.includes(type))
}

/** The number of roots that are read if the issuer of a credential does not identify its key. */
const maxAnchors = 1_000

interface AnchorQuery {
  ecosystemId: string
  type: string
  ski?: string | undefined
  at: Date
}

/**
 * Returns the certificates (PEM) of the issuers that an ecosystem trusts with a type of SD-JWT VCs. `ski` selects those with
 * this subject key identifier.
 */
export async function findIssuerAnchors(db: Reader, tenantId: string, query: AnchorQuery): Promise<string[]> {
  const [own, listed] = await Promise.all([
    findParticipantAnchors(db, tenantId, query),
    findListedAnchors(db, tenantId, query),
  ])
  return [...own, ...listed]
}

async function findListedAnchors(
  db: Reader,
  tenantId: string,
  { ecosystemId, type, ski, at }: AnchorQuery,
): Promise<string[]> {
  const rows = await db
    .select({ certificate: integrated.certificate, docTypes: integrated.docTypes })
    .from(integrated)
    .innerJoin(integrations, listOf('sd-jwt'))
    .innerJoin(types, typeIn(integrated.ecosystemId, 'sd-jwt', type))
    .where(
      and(
        eq(integrated.tenantId, tenantId),
        eq(integrated.ecosystemId, ecosystemId),
        ski === undefined ? undefined : eq(integrated.ski, ski),
        lte(integrated.notBefore, at),
        gte(integrated.notAfter, at),
      ),
    )
    .limit(maxAnchors)
  return rows.filter(({ docTypes }) => docTypes.includes(type)).map(({ certificate }) => pemOfDer(certificate))
}

async function findParticipantAnchors(
  db: Reader,
  tenantId: string,
  { ecosystemId, type, ski, at }: AnchorQuery,
): Promise<string[]> {
  const anchors = await db
    .select({ certificatePem: certificates.certificatePem, docTypes: certificates.docTypes })
    .from(certificates)
    .innerJoin(participants, eq(participants.id, certificates.participantId))
    .innerJoin(types, typeIn(certificates.ecosystemId, 'sd-jwt', type))
    .where(
      and(
        eq(certificates.tenantId, tenantId),
        eq(certificates.ecosystemId, ecosystemId),
        eq(certificates.role, 'issuer'),
        ski === undefined ? undefined : eq(certificates.ski, ski),
        certificates.active,
        lte(certificates.notBefore, at),
        gte(certificates.notAfter, at),
        mayUseType(db, 'issuer'),
      ),
    )
    .limit(maxAnchors)
  return anchors
    .filter(({ docTypes }) => docTypes === null || docTypes.includes(type))
    .map(({ certificatePem }) => certificatePem)
}

function typeIn(ecosystemId: PgColumn, profile: CredentialProfile, type: string) {
  return and(eq(types.ecosystemId, ecosystemId), eq(types.profile, profile), eq(types.type, type))
}

/** Joins existing ecosystems, because the rows of a deleted ecosystem stay for a while. */
function existingEcosystem(ecosystemId: PgColumn, tenantId: string) {
  return and(eq(ecosystems.id, ecosystemId), eq(ecosystems.tenantId, tenantId))
}

/**
 * True if the participant is active in its role and may use the type. A constrained participant may use only assigned
 * types.
 */
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
