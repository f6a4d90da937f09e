import { bulkTableRows } from './bulk-calls.ts'

type Calls = Record<string, [rest: unknown[], given?: Record<string, Record<string, unknown>>]>

/** What columns of its tables hold there, by table. */
export function ecosystemRows({
  before,
  after,
}: {
  before: Date
  after: Date
}): Record<string, Record<string, unknown>> {
  return {
    ...bulkTableRows,
    ecosystem_integrations: { trustAnchors: [] },
    integrated_certificates: { docTypes: [], certificate: Buffer.alloc(1), notBefore: before, notAfter: after },
    participant_certificates: { entry: Buffer.alloc(1), subject: {}, notBefore: before, notAfter: after },
    participants: { identifiers: {}, contacts: [] },
  }
}

/** The queries of the wing ecosystems, as `tenants-apart.test.ts` calls them. */
export function ecosystemCalls({ id, at }: { id: string; at: Date }): Calls {
  const assigned = { participant_credential_types: { role: 'issuer' } }
  const trusted = { status: 'Active', isIssuer: true, isIssuerConstrained: false, identifiers: {}, contacts: [] }
  const holder = { ecosystemId: id, participantId: id, role: 'issuer' }
  const certificate = { participant_certificates: { role: 'issuer', source: 'operator' } }
  const subject = { ecosystemId: id, participantId: id }
  const whole = { participant_evidence: { state: 'whole' } }
  const vicals = { trusted_list_configurations: { kind: 'vical' } }
  const due = { trusted_list_configurations: { kind: 'vical', autoPublishes: true, frequency: 'Daily' } }
  const daysLater = new Date(at.getTime() + 2 * 24 * 3_600_000)
  const failure = { lastFailureAt: at, lastFailureReason: 'changed', failingSince: at, retryAt: at }
  const published = { trusted_lists: { kind: 'vical', number: 1, date: at } }
  const publishedOf = { participantIds: [id], role: 'issuer', at }
  const validOf = {
    participant_certificates: { role: 'issuer', active: true, notBefore: at, notAfter: new Date(at.getTime() + 1) },
  }
  const ref = { tenantId: id, integrationId: id, queuedUntil: at.getTime() }
  const enabled = { ecosystem_integrations: { enabled: true } }
  const queued = { ecosystem_integrations: { enabled: true, queuedUntil: at } }
  const synced = { result: { success: true, lastSyncedAt: at.toISOString() }, failures: 0, nextSyncAt: at }
  return {
    requestSync: [[at], enabled],
    countOfOtherIntegrations: [[{ ecosystemId: id, integrationId: 'other' }]],
    deleteIntegratedCertificates: [[id]],
    endSync: [[ref, synced], queued],
    findEcosystemNames: [[]],
    findQueuedIntegration: [[ref], queued],
    markAttempt: [[ref, new Date(0)], queued],
    replaceIntegratedCertificates: [[{ ecosystemId: id, integrationId: id }, [], at]],
    deleteParticipantCertificate: [[holder, id], certificate],
    findCertificateTrust: [
      [{ role: 'issuer', profile: 'mobile', fingerprint: id, type: id, at }],
      {
        participants: trusted,
        ecosystem_credential_types: { profile: 'mobile' },
        participant_certificates: { role: 'issuer', active: true, docTypes: [id] },
        integrated_certificates: { docTypes: [id] },
        ...enabled,
      },
    ],
    findIssuerAnchors: [
      [{ ecosystemId: id, type: id, at }],
      {
        participants: trusted,
        ecosystem_credential_types: { profile: 'sd-jwt' },
        participant_certificates: { role: 'issuer', active: true, docTypes: [id] },
      },
    ],
    findOperatorCertificates: [[[id], 'issuer'], certificate],
    findParticipantCertificate: [[holder, id], certificate],
    listParticipantCertificates: [[holder, 10], certificate],
    replaceIdentifierCertificates: [[id, []], { participant_certificates: { source: 'identifiers' } }],
    updateParticipantCertificate: [[holder, id, { active: true }], certificate],
    countInEcosystem: [[id, 'participants']],
    abandonEvidence: [[id, at], { participant_evidence: { state: 'uploading' } }],
    appendChunk: [
      [id, { position: 1, content: Buffer.of(1), expiresAt: at }],
      { participant_evidence: { state: 'uploading' } },
    ],
    completeEvidence: [
      [id, { fileDescription: 'changed', sha256: id, createdAt: at }],
      { participant_evidence: { state: 'uploading' } },
    ],
    findChunk: [[id, 0], { evidence_chunks: { position: 0 } }],
    findEvidence: [[subject, id], whole],
    listEvidence: [[subject, 10], whole],
    measureEvidence: [[['whole']], whole],
    removeEvidence: [[subject, id, at], whole],
    removeEvidenceOn: [[subject, at], whole],
    updateEvidence: [[subject, id, { filename: 'changed' }], whole],
    deleteAssignment: [[{ ecosystemId: id, participantId: id, role: 'issuer', credentialTypeId: id }], assigned],
    deleteCredentialType: [[id, id]],
    deleteEcosystem: [[id, at]],
    deleteParticipant: [[id, id, at]],
    deleteTrustedList: [[id, 'vical', 1], published],
    deleteTrustedListConfiguration: [[id, 'vical'], vicals],
    deleteUnpublishedTrustedList: [[id], { trusted_lists: { number: null } }],
    deletePolicy: [[id, 'verifier', id], { ecosystem_policies: { kind: 'verifier' } }],
    deletePolicyOfList: [[id]],
    deletePolicies: [[id, 'general'], { ecosystem_policies: { kind: 'general' } }],
    completeTrustedList: [
      [id, { number: 1, date: at, nextUpdate: at, content: Buffer.of(1), signerId: id }],
      { trusted_lists: { number: null } },
    ],
    findAssignments: [[[id]]],
    findCredentialType: [[id, id]],
    findCredentialTypes: [[id]],
    findDueConfiguration: [[id, daysLater], due],
    findEcosystem: [[id]],
    findIntegrations: [[[id]]],
    findPolicy: [[id, 'verifier', id], { ecosystem_policies: { kind: 'verifier' } }],
    findParticipant: [[id, id]],
    findPolicyContent: [[id]],
    findTrustingEcosystem: [
      [{ role: 'issuer', profile: 'compact', identifier: id, type: id }],
      { participants: trusted },
    ],
    hasMoreCertificates: [[id, 0]],
    findListedCertificates: [[publishedOf], validOf],
    findPolicyCertificates: [[publishedOf], validOf],
    findPublishedTrustedList: [[id, 'vical', 'latest'], published],
    findTrustedListConfiguration: [[id, 'vical'], vicals],
    findTrustedListContent: [[id]],
    findTrustedListRow: [[id]],
    holdTrustedListConfiguration: [[id, 'vical'], vicals],
    holdToModify: [[id, at]],
    listAssignedTypes: [[holder, 10], assigned],
    listCredentialTypes: [[id, 10]],
    listIntegratedCertificates: [[[id], 10]],
    listEcosystems: [[10]],
    listParticipants: [[id, 10]],
    listPublishedTrustedLists: [[id, 'vical', 10], published],
    recordFailedPublication: [[id, failure]],
    raiseLastNumber: [[id, 2]],
    renameEcosystem: [[id, 'changed']],
    replaceIntegrations: [[id, [], at]],
    claimAutomaticPublication: [[id, daysLater], due],
    updateParticipant: [[id, id, { name: 'changed' }, []]],
  }
}
