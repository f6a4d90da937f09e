import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Writer } from '../../db/client.ts'
import { findIssued } from '../../db/repos/issuance/credentials.ts'
import { refuseIssuances } from '../../db/repos/issuance/issuances.ts'
import { findDeliveriesOf } from '../../db/repos/issuance/offers/timeline.ts'
import { openedData } from '../harness/data-folder.ts'
import { plansOf, scansIn } from './plans.ts'

let data: Awaited<ReturnType<typeof openedData>>
beforeAll(async () => {
  data = await openedData('12.22.0')
})
afterAll(() => data.drop())

const queries: [string, (tx: Writer, tenantId: string) => Promise<unknown>][] = [
  ['of issuances, for their delivery', (tx, tenantId) => findIssued(tx, tenantId, ['a', 'b'])],
  ['of an offer’s issuances', (tx, tenantId) => findDeliveriesOf(tx, tenantId, ['a', 'b'])],
]

test.each(queries)('an index finds credentials %s', async (_what, run) => {
  const plans = await plansOf(data.url, (tx) => run(tx, data.facts.tenantId))
  const ofCredentials = plans.filter((plan) => plan.includes('from "credentials"'))
  expect(ofCredentials).toHaveLength(1)
  expect(scansIn(ofCredentials).filter((plan) => !/^ *SCAN json_each/m.test(plan))).toEqual([])
  for (const plan of ofCredentials) expect(plan).toContain('credentials_issuance')
})

test.each([
  ['requested', false],
  ['lost', true],
])('issuances that were %s are refused without reading other rows of their tenant', async (_what, isLost) => {
  const refusal = { check: 'collected_once', reason: 'It was collected before' } as const
  const refused = [
    { id: 'a', refusal },
    { id: 'b', refusal, isLost },
  ]
  const plans = await plansOf(data.url, (tx) => refuseIssuances(tx, data.facts.tenantId, refused, new Date()))
  expect(plans).toHaveLength(1)
  expect(scansIn(plans)).toEqual([])
})
