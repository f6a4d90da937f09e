type Calls = Record<string, [rest: unknown[], given?: Record<string, Record<string, unknown>>]>

/** The queries about management clients, their requests and their sessions at the console, as `tenants-apart.test.ts` calls them. */
export function clientCalls({ id, at, after }: { id: string; at: Date; after: Date }): Calls {
  const start = new Date(0)
  return {
    countWaitingApprovals: [[at]],
    decideApproval: [[{ id, state: 'rejected', decidedByClientId: id, decidedByManagementUserId: null }, at]],
    endApproved: [[id]],
    expireApproval: [[id, at], { approvals: { state: 'waiting', expiresAt: at } }],
    findApproval: [[id]],
    findApprovedPlan: [
      [id, { askedByClientId: id, askedByManagementUserId: id }, at],
      { approvals: { state: 'approved', details: { planDigest: id }, expiresAt: new Date(at.getTime() + 1) } },
    ],
    findSameApproval: [[{ digest: id, askedByClientId: id, askedByManagementUserId: id }, 'waiting', at]],
    holdApproved: [[id, at], { approvals: { state: 'approved', expiresAt: new Date(at.getTime() + 1) } }],
    listApprovals: [[{ limit: 10 }]],
    rejectWaitingApprovals: [[id, { decidedByClientId: id, decidedByManagementUserId: null }, at]],
    storeApprovalAnswer: [[id, 'sealed']],
    deleteClient: [[id]],
    endClientTokens: [[id]],
    deleteIdempotentAnswersOf: [[id]],
    deleteConsoleSession: [[id]],
    deleteConsoleProvider: [[]],
    deleteConsoleSessionsOf: [[{ clientId: id }]],
    deleteConsoleSessionsOfPeople: [[]],
    deleteOldConsoleSessions: [[{ clientId: id }, 0]],
    findConsoleLink: [[id]],
    findConsoleProgramCode: [[id]],
    findConsoleProvider: [[]],
    findConsoleSession: [[id]],
    findNewestSessionOf: [[id, start]],
    markConsoleSessionUsed: [[id, after]],
    deleteOtherClients: [['another']],
    findClient: [[id]],
    findClientUnderKey: [[{ id, keyId: id }]],
    listClients: [[10]],
    listConsoleSessions: [[{ limit: 10, owners: [], at: start, usedAfter: start, providerHash: undefined }]],
    listRolesOfClients: [[]],
    spendConsoleLink: [[id, at]],
    spendConsoleProgramCode: [[id, at]],
    hasConsoleSignIn: [[{ id, stateHash: id, browserHash: id }, at]],
    takeConsoleSignIn: [[{ id, stateHash: id, browserHash: id }, at]],
    updateClient: [[id, { name: 'Changed', roles: ['auditor'] }]],
    replaceClientSecret: [[{ id, formerUntil: at, knownTo: [], endsTokens: true }]],
  }
}
