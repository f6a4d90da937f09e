import { expect } from 'vitest'
import type { Api, ApiResponse } from '../../harness/api-client.ts'
import { compactConfiguration } from '../../harness/factories.ts'
import { eventually } from '../../harness/harness.ts'
import { bulkFields, csvFile, uploadTo } from '../../harness/uploads.ts'

type Call = [operation: string, call: (api: Api, made: Record<string, string>) => Promise<ApiResponse>, data: object]

const bulks = '/v1/bulk-issuances'

/** The calls of bulk issuances for `audit.test.ts`. */
export function bulkCalls(secret: string): Call[] {
  const upload = async (operator: Api, configurationId: string, rows: number, extra = {}) => {
    const lines = Array.from({ length: rows }, (_, at) => `${at},${secret}`)
    const file = csvFile(`number,given_name\n${lines.join('\n')}\n`, `${secret}.csv`)
    return uploadTo(operator, bulks, ['file', file], ...bulkFields(configurationId, extra))
  }
  const one = ({ createBulkIssuance: id }: Record<string, string>) => `${bulks}/${id}`
  return [
    [
      'createBulkIssuance',
      async (operator) => {
        const made = await upload(operator, await compactConfiguration({ operator }), many, { validateOnly: 'true' })
        await stateOf(operator, made.body.id, 'ready')
        return made
      },
      { mode: 'sign', configurationIds: [expect.any(String)] },
    ],
    ...(['start', 'pause', 'resume', 'cancel'] as const).map((verb): Call => {
      return [`${verb}BulkIssuance`, (api, made) => api.post(`${one(made)}/${verb}`), {}]
    }),
    [
      'renewBulkLink',
      async (operator, made) => {
        const configurationId = await compactConfiguration({ operator })
        const { body } = await upload(operator, configurationId, 1, { mode: 'links', transactionCode: 'true' })
        await stateOf(operator, body.id, 'done')
        made.linkedBulk = body.id
        made.linkPath = `${bulks}/${body.id}/rows/1/link`
        return operator.post(made.linkPath, {})
      },
      { id: expect.any(String), row: 1, expiresAt: expect.any(String) },
    ],
    [
      'renewExpiredBulkLinks',
      (api, { linkedBulk = '' }) => api.post(`${bulks}/${linkedBulk}/renew-expired-links`, {}),
      { id: expect.any(String), expiresAt: expect.any(String) },
    ],
    [
      'createClaimLink',
      async (operator) => {
        const configurationIds = [await compactConfiguration({ operator })]
        const request = { configurationIds, claims: { given_name: secret }, label: secret, keep: { email: secret } }
        return operator.post('/v1/claim-links', request)
      },
      { id: expect.any(String), configurationIds: [expect.any(String)] },
    ],
    ['revokeBulkLink', (api, { linkPath = '' }) => api.delete(linkPath), { id: expect.any(String), row: 1 }],
    [
      'confirmBulkResults',
      (api, { linkedBulk = '' }) => api.post(`${bulks}/${linkedBulk}/results/received`),
      { id: expect.any(String) },
    ],
    ['deleteBulkIssuance', (api, made) => api.delete(one(made)), {}],
    [
      'retryBulkIssuance',
      async (operator) => {
        const { body } = await upload(operator, await compactConfiguration({ operator }), 1)
        await stateOf(operator, body.id, 'done')
        return operator.post(`${bulks}/${body.id}/retry`)
      },
      {},
    ],
  ]
}

/** So many rows that the bulk issuance still runs at the next calls. */
const many = 5_000

function stateOf(operator: Api, id: string, state: string): Promise<unknown> {
  return eventually(async () => (await operator.get(`${bulks}/${id}`)).body.state === state)
}
