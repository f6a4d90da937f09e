import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bulkRows } from '../../../db/tables/issuance/bulk-issuances.ts'
import { bulkRowContext } from '../../../shared/secrets/stored-contexts.ts'
import { webConfiguration } from '../../harness/factories.ts'
import { eventually, joinService, type SharedService } from '../../harness/harness.ts'
import { newBulkTenant } from '../../harness/validated-bulks.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

/** A bulk issuance that is done, whose second row of two could not be signed, and the user of this row. */
async function bulkWithFailedRow() {
  const { operator, configurationId, validated } = await newBulkTenant(service, webConfiguration)
  const { id: userId } = (await operator.post('/v1/users', { claims: {} })).body
  const { id: other } = (await operator.post('/v1/users', { claims: {} })).body
  const file = `number,given_name,user\n1,Ada,${other}\n2,Bob,${userId}\n`
  const { id: bulkId } = await validated(file, { userIdColumn: 'user' })
  // Claims that the format cannot express, as after a change of the configuration.
  const content = JSON.stringify({ claims: { id: 'x' }, validity: null })
  const sealedClaims = service.deps.secrets.seal(content, bulkRowContext(bulkId, 2))
  const isRow = and(eq(bulkRows.bulkId, bulkId), eq(bulkRows.row, 2))
  await service.deps.db.tx((tx) => tx.update(bulkRows).set({ sealedClaims }).where(isRow))
  const path = `/v1/bulk-issuances/${bulkId}`
  const post = async (verb: string) => expect(await operator.post(`${path}/${verb}`)).toMatchObject({ status: 200 })
  const ended = () =>
    eventually(async () => {
      const { body } = await operator.get(path)
      return body.state !== 'running' && body
    })
  await post('start')
  expect(await ended()).toMatchObject({ state: 'done', valid: 2, done: 1, failed: 1 })
  return { operator, configurationId, userId, post, ended }
}

test.each([
  ['exists', false],
  ['was deleted', true],
])('a retry of failed rows that were erased ends, if the configuration %s', async (_what, isDeleted) => {
  const { operator, configurationId, userId, post, ended } = await bulkWithFailedRow()
  expect(await operator.delete(`/v1/users/${userId}`)).toMatchObject({ status: 204 })
  if (isDeleted) {
    const deleted = await operator.delete(`/v2/credentials/web-semantic/configurations/${configurationId}`)
    expect(deleted).toMatchObject({ status: 204 })
  }
  await post('retry')
  const counts = { total: 2, valid: 1, invalid: 0, erased: 1, done: 1, failed: 0 }
  expect(await ended()).toMatchObject({ state: 'done', ...counts, endedAt: expect.any(String) })
})
