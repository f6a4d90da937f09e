type Calls = Record<string, [rest: unknown[], given?: Record<string, Record<string, unknown>>]>

/** What columns of the tables of bulk issuances hold there, by table. */
export const bulkTableRows = {
  bulk_issuances: {
    state: 'receiving',
    source: 'file',
    configurationIds: [],
    columns: {},
    starter: 'client',
    failed: 0,
  },
  bulk_rows: { state: 'valid' },
}

/** The queries of bulk issuances, as `tenants-apart.test.ts` calls them. */
export function bulkCalls({ id, at, after }: { id: string; at: Date; after: Date }): Calls {
  const settings = {
    ...{ mode: 'sign', configurationIds: [id], format: 'csv', onDuplicate: 'fail', validateOnly: true },
    columns: { claims: null, externalId: 'number', userId: null },
  }
  return {
    abandonUpload: [[id, at]],
    addRows: [[{ id }, { total: 1, valid: 1, invalid: 0 }, 1]],
    advanceRun: [[{ id }, { progress: 1, done: 1, failed: 0 }]],
    appendBulkChunk: [[id, { position: 1, content: Buffer.alloc(1), sizeBytes: 1, expiresAt: after }]],
    completeUpload: [[id, settings]],
    countErasure: [[id]],
    endValidation: [[id, { expiresAt: after }], { bulk_issuances: { state: 'validating' } }],
    eraseBulkRows: [[id, [{ bulkId: id, row: 0 }]]],
    findBulkChunk: [[id, 0]],
    findBulkIssuance: [[id]],
    finishRows: [
      [
        { id, issues: 'valid' },
        { after: -1, last: 10 },
      ],
    ],
    findKeptCells: [[id, [0]], { bulk_rows: { sealedKept: 'sealed' } }],
    findLinkedRows: [[id]],
    findRowsToIssue: [
      [
        { id, issues: 'valid', progress: -1 },
        { maxRows: 10, maxBytes: 10 },
      ],
    ],
    findExternalIds: [[id, [id]], { bulk_rows: { externalId: id } }],
    holdUsersShared: [[[id]]],
    extendUpload: [[id, after]],
    listBulkIssuances: [[{ limit: 10, at }]],
    listBulkRows: [[id, { limit: 10, cursor: -1 }]],
    listBulkResults: [[id, { limit: 10, cursor: -1, maxBytes: 1 }], { bulk_rows: { state: 'done' } }],
    moveBulk: [[id, { from: ['receiving'], state: 'cancelled' }]],
    measureBulkIssuances: [[at]],
    refuseFile: [
      [id, { failure: { code: 'no_rows', message: 'No rows.' }, endedAt: at, expiresAt: after }],
      { bulk_issuances: { state: 'validating' } },
    ],
    removeBulkIssuance: [[id, at]],
    isRemovedBulk: [[id], { bulk_issuances: { state: 'removed' } }],
    keepForLink: [
      [
        { id, linksUntil: null, expiresAt: at },
        { until: after, at },
      ],
    ],
    setLinkRenewal: [[{ id }, { linkRenewal: null, codesShownUntil: after }]],
    showCodesUntil: [[id, after], { bulk_issuances: { state: 'done' } }],
    startRun: [[id, { from: ['receiving'], at }]],
    takeRows: [[{ id }, [0]]],
    wipeClaims: [[{ id, progress: -1 }, 10]],
  }
}
