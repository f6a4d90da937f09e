type Calls = Record<string, [rest: unknown[], given?: Record<string, Record<string, unknown>>]>

/** The queries about management clients, as `tenants-apart.test.ts` calls them. */
export function clientCalls({ id, at }: { id: string; at: Date }): Calls {
  return {
    deleteClient: [[id]],
    deleteOtherClients: [['another']],
    findClient: [[id]],
    findClientUnderKey: [[{ id, keyId: id }]],
    listClients: [[10]],
    replaceClientSecret: [[{ id, formerUntil: at }]],
  }
}
