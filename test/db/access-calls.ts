type Calls = Record<string, [rest: unknown[], given?: Record<string, Record<string, unknown>>]>

const active = { access_certificates: { isActive: true, chain: ['AA=='] } }

/** The queries about access certificates and registration certificates, as `tenants-apart.test.ts` calls them. */
export function accessCalls(id: string): Calls {
  return {
    countAccessCertificates: [[]],
    deactivateAccessCertificates: [[], active],
    deleteAccessCertificate: [[id]],
    findAccessCertificate: [[id]],
    findActiveAccessCertificate: [[], active],
    listAccessCertificates: [[{ limit: 10 }]],
    updateAccessCertificate: [[{ id }, { isActive: true }]],
    deleteRegistrationCertificate: [[]],
    findRegistrationCertificate: [[]],
  }
}
