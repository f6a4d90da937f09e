type Calls = Record<string, [rest: unknown[], given?: Record<string, Record<string, unknown>>]>

/** The queries about wallets, and about what they ask for, as `tenants-apart.test.ts` calls them. */
export function walletCalls({ id }: { id: string }): Calls {
  return {
    findConfigurationTypes: [[]],
    findOAuthClient: [[id]],
    findOAuthClientByClientId: [[id]],
    findPushedRequest: [[id]],
    takePushedRequest: [[id]],
    isDpopPossessionRequired: [[], { oauth_clients: { attestation: { dpopRequired: true } } }],
    listOAuthClients: [[10]],
  }
}
