import { expect, test } from 'vitest'
import type { InnerCall } from '../../../api/audit/inner-calls.ts'
import { routes } from '../../../api/routes.ts'
import { createKinds } from '../../../api/tenant-files/rest-kinds.ts'
import { readStored } from '../../../api/tenant-files/stored.ts'
import { findManagedObjects } from '../../../db/repos/operations/managed-objects.ts'
import { eventually, startService } from '../../harness/harness.ts'

test('an IACA whose key is created while the objects are read is among them', async () => {
  await using service = await startService()
  const tenant = await service.addTenant()
  await service.workers.stop()
  const bundle = { format: 1, objects: { 'iacas/root': { commonName: 'Test IACA', country: 'NZ' } } }
  const { basedOn } = (await tenant.operator.post('/v1/configuration/plan', bundle)).body
  const applied = await tenant.operator.post('/v1/configuration/apply', { ...bundle, basedOn })
  expect(applied).toMatchObject({ status: 200, body: { pending: ['iacas/root'] } })

  const kinds = createKinds(routes)
  const lists = new Set([...kinds.values()].map((kind) => kind.routes.list))
  const iacas = async () => (await tenant.operator.get('/v2/credentials/mobile/iacas')).body
  // Reads the lists, and then lets the signing process create the key.
  const call: InnerCall = async (route) => {
    if (route.path !== '/v2/credentials/mobile/iacas') return lists.has(route) ? { data: [] } : {}
    const listed = await iacas()
    await service.workers.start()
    await eventually(async () => (await iacas()).data.length === 1)
    return listed
  }
  const db = service.deps.db.read
  const managed = await findManagedObjects(db, tenant.id, 10)
  const stored = await readStored({ db, tenantId: tenant.id, call, managed }, kinds)
  expect([...stored.keys()]).toEqual(['iacas/root'])
})
