type Calls = Record<string, [rest: unknown[], given?: Record<string, Record<string, unknown>>]>

/** The queries of the wing ecosystems, as `tenants-apart.test.ts` calls them. */
export function ecosystemCalls({ id, at }: { id: string; at: Date }): Calls {
  const assigned = { participant_credential_types: { role: 'issuer' } }
  const trusted = { status: 'Active', isIssuer: true, isIssuerConstrained: false, identifiers: {}, contacts: [] }
  return {
    countInEcosystem: [[id, 'participants']],
    deleteAssignment: [[{ ecosystemId: id, participantId: id, role: 'issuer', credentialTypeId: id }], assigned],
    deleteCredentialType: [[id, id]],
    deleteEcosystem: [[id, at]],
    deleteParticipant: [[id, id]],
    deletePolicies: [[id, 'general'], { ecosystem_policies: { kind: 'general' } }],
    findAssignments: [[[id]]],
    findCredentialType: [[id, id]],
    findCredentialTypes: [[id]],
    findEcosystem: [[id]],
    findIntegrations: [[[id]]],
    findLatestPolicy: [[id, 'general'], { ecosystem_policies: { kind: 'general' } }],
    findParticipant: [[id, id]],
    findPolicyContent: [[id]],
    findTrustingEcosystem: [
      [{ role: 'issuer', profile: 'compact', identifier: id, type: id }],
      { participants: trusted },
    ],
    holdToModify: [[id, at]],
    listCredentialTypes: [[id, 10]],
    listEcosystems: [[10]],
    listParticipants: [[id, 10]],
    renameEcosystem: [[id, 'changed']],
    replaceIntegrations: [[id, [], at]],
    updateParticipant: [[id, id, { name: 'changed' }, []]],
  }
}
