import { afterAll, beforeAll, expect, test } from 'vitest'
import { iacas } from '../../certificates/hierarchy.ts'
import { newLinksTenant } from '../../harness/bulk-links.ts'
import { activeIaca, sdJwtConfiguration } from '../../harness/factories.ts'
import { joinService, type SharedService } from '../../harness/harness.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

const claimMappings = { given_name: { mapFrom: 'claims.given_name' } }
const failure = { code: 'no_signer', message: expect.stringContaining('no active IACA') }

test('claim links that no wallet could use are not made, and are made after a resume with a root', async () => {
  const { tenant, upload, inState, post, links } = await newLinksTenant(service, (of) =>
    sdJwtConfiguration(of, { claimMappings }),
  )
  const id = await upload(['1,Ada'])
  expect(await inState(id, 'paused')).toMatchObject({ failure, done: 0 })
  await activeIaca(tenant)
  expect(await post(id, 'resume')).toMatchObject({ status: 200 })
  expect(await inState(id, 'done')).toMatchObject({ done: 1 })
  expect(await links(id)).toHaveLength(1)
})

test('a file that is only validated names the missing signer before its start, until there is one', async () => {
  const { tenant, upload, inState, post } = await newLinksTenant(service, (of) =>
    sdJwtConfiguration(of, { claimMappings }),
  )
  const id = await upload(['1,Ada'], [['validateOnly', 'true']])
  expect(await inState(id, 'ready')).toMatchObject({ failure, valid: 1 })
  const { body: root } = await tenant.operator.post(iacas, { commonName: 'IACA', country: 'NZ' })
  await tenant.operator.put(`${iacas}/${root.id}`, { active: true })
  expect(await inState(id, 'ready')).not.toHaveProperty('failure')
  await tenant.operator.put(`${iacas}/${root.id}`, { active: false })
  expect(await post(id, 'start')).toMatchObject({ status: 200 })
  expect(await inState(id, 'paused')).toMatchObject({ failure, done: 0 })
})
