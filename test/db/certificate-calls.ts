type Calls = Record<string, [rest: unknown[], given?: Record<string, Record<string, unknown>>]>

/** The queries about single certificates, as `tenants-apart.test.ts` calls them. */
export function certificateCalls({ id }: { id: string }): Calls {
  const same = { kind: 'iaca', fingerprint: id }
  return {
    findCertificateRow: [[id]],
    isCertificateOf: [[same]],
    isTaken: [[{ id: '', ...same }], { certificates: { caId: null } }],
  }
}
