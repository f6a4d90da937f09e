import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import { mapClaims } from '../../../shared/domain/issuance/claims/claim-faults.ts'
import { checkRows } from '../../../workers/upkeep/bulk/check-rows.ts'
import { sdJwtConfiguration, webConfiguration } from '../../harness/factories.ts'
import { joinService, type SharedService } from '../../harness/harness.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

const wrongNames = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`@${at}`, 1]))

/** Returns the number of times that all mappings were listed while the claims were checked, and the number of faults. */
function checkWith(wrong: number) {
  let listed = 0
  const mappings = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`c${at}`, { mapFrom: `claims.c${at}` }]))
  const claimMappings = new Proxy(mappings, {
    ownKeys(target) {
      listed++
      return Reflect.ownKeys(target)
    },
  })
  const configuration = { profile: 'web-semantic' as const, type: 'Course', settings: { claimMappings } }
  const { faults } = mapClaims(configuration as unknown as ConfigurationRow, {
    claims: [{ c499: wrongNames(wrong) }],
    authenticationProvider: {},
  })
  return { listed, faults }
}

test('many wrong members are at most 20 faults, and no fault lists all mappings', () => {
  const [one, many] = [checkWith(1), checkWith(45_000)]
  expect(one.faults).toHaveLength(1)
  expect(many.faults).toHaveLength(20)
  expect(many.faults.at(-1)?.mapFrom).toBe('claims.c499')
  expect(many.listed).toBe(one.listed)
})

test.each([
  ['web-semantic', webConfiguration, (name: string) => ({ [name]: wrongNames(5) })],
  ['sd-jwt', sdJwtConfiguration, (name: string) => ({ [name]: { _sd: 1, '...': 1 } })],
] as const)('the message about long names in a %s credential is short', async (_profile, configure, objectWith) => {
  const claimMappings = { object: { mapFrom: 'claims.object' } }
  const { status, body } = await service.operator.post('/v1/openid/offers/pre-authorized', {
    credentials: [await configure(service, { claimMappings })],
    claims: { object: objectWith('a'.repeat(100_000)) },
  })
  expect(status).toBe(400)
  expect(body.details).toMatchObject([{ param: 'claims', msg: expect.stringContaining('The claim object.aaa') }])
  expect(body.details[0].msg.length).toBeLessThan(2_000)
})

test('other work runs after a row with a fault', async () => {
  const rules = {
    ...{ mode: 'links' as const, signIn: null, configurations: [], claimColumns: [], users: new Map() },
    ...{
      columns: { claims: null, externalId: 'number', userId: null },
      conditions: { now: new Date(), authorities: new Map() },
    },
  }
  // The process counts as busy after one millisecond, so that the check begins with a pause.
  await sleep(5)
  let ticks = 0
  void setImmediate().then(() => ticks++)
  const [row] = await checkRows(rules, [{ number: 1, values: {} }])
  expect(row?.fault).toMatchObject({ code: 'invalid_external_id' })
  expect(ticks).toBe(1)
})
