import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { bulkFileChunks } from '../../db/tables/issuance/bulk-issuances.ts'
import { compactConfiguration } from './factories.ts'
import { eventually, type SharedService } from './harness.ts'
import { bulkFields, csvFile, uploadTo } from './uploads.ts'

const path = '/v1/bulk-issuances'

/** A tenant that validates files, by default with a configuration that requires `given_name`. */
export async function newBulkTenant(
  service: Pick<SharedService, 'addTenant' | 'deps'>,
  configure = compactConfiguration,
) {
  const tenant = await service.addTenant()
  const { operator } = tenant
  const configurationId = await configure(tenant)
  const send = (file: File, extra: Record<string, string> = {}) =>
    uploadTo(operator, path, ['file', file], ...bulkFields(configurationId, { validateOnly: 'true', ...extra }))
  const chunkCount = () => service.deps.db.read.$count(bulkFileChunks, eq(bulkFileChunks.tenantId, tenant.id))
  /** Uploads a file and returns the bulk issuance after its validation. */
  async function validated(content: string | Buffer<ArrayBuffer>, extra: Record<string, string> = {}, name?: string) {
    const sent = await send(csvFile(content, name), extra)
    expect([sent.status, sent.body]).toEqual([202, { id: expect.any(String) }])
    const bulk = await eventually(async () => {
      const { body } = await operator.get(`${path}/${sent.body.id}`)
      return body.state !== 'validating' && body
    })
    // The job ends after it has removed the file.
    await eventually(async () => (await chunkCount()) === 0)
    return bulk
  }
  const rowsOf = async ({ id }: { id: string }, query = '') =>
    (await operator.get(`${path}/${id}/rows${query}`)).body.data
  return { tenant, operator, configurationId, chunkCount, validated, rowsOf }
}
