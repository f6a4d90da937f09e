type Calls = Record<string, [rest: unknown[]]>

/** The columns of the tables of a verifier that need a value of their own. */
export const verifierRows = {
  presentation_templates: { query: [] },
  verifier_templates: { query: { credentials: [] }, checks: {} },
  verifier_applications: { type: 'web' },
}

/** The queries of a verifier, as `tenants-apart.test.ts` calls them. */
export function verifierCalls(id: string): Calls {
  const page = { limit: 10 }
  return {
    deletePresentationTemplate: [[id]],
    deleteVerifierApplication: [[id]],
    deleteVerifierTemplate: [[id]],
    deleteVerifierWalletProvider: [[id]],
    findPresentationTemplate: [[id]],
    findVerifierApplication: [[id]],
    findVerifierTemplate: [[id]],
    findVerifierWalletProvider: [[id]],
    listPresentationTemplates: [[page]],
    listVerifierApplications: [[page]],
    listVerifierTemplates: [[page]],
    listVerifierWalletProviders: [[page]],
    updatePresentationTemplate: [[id, { name: 'changed' }]],
    updateVerifierApplication: [[id, { name: 'changed' }]],
    updateVerifierTemplate: [[id, { name: 'changed' }]],
    updateVerifierWalletProvider: [[id, { name: 'changed' }]],
  }
}
