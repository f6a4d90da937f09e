import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../db/client.ts'
import { hold } from '../../db/hold.ts'
import { offers } from '../../db/tables/issuance/offers.ts'
import { sessions } from '../../db/tables/issuance/sessions.ts'
import { signCredentials } from '../../workers/signing/sign-credentials.ts'
import { webConfiguration } from '../harness/factories.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { waitingForLocks } from '../harness/locks.ts'
import { signingDeps } from '../harness/published.ts'
import { redeemOffer, requestIssuance } from '../harness/requested.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ roles: ['signing'] })
})
afterAll(() => service[Symbol.asyncDispose]())

test('issuances that are committed one by one lock offers before sessions, like an erasure', {
  tags: 'postgres',
}, async () => {
  const { db } = service.deps
  const configurationId = await webConfiguration(service)
  const { id: offerId } = await redeemOffer(service, [configurationId])
  const [session] = await db.read.select().from(sessions).where(eq(sessions.offerId, offerId))
  // The second one is lost, so that the batch is not committed together.
  const request = () => requestIssuance(service, { offerId, configurationId })
  const ids = [await request(), await request()]

  const runs = { oneByOne: 0, erasing: 0 }
  const [held, isWaitedFor] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const erase = () =>
    db.tx(async (tx) => {
      runs.erasing++
      await hold(tx, offers, service.id, offerId)
      held.resolve()
      await isWaitedFor.promise
      await hold(tx, sessions, service.id, session!.id)
    })
  let erasing: Promise<void> | undefined
  const watched: Database = {
    ...db,
    async tx(work, options) {
      if (erasing !== undefined)
        return db.tx((tx) => {
          runs.oneByOne++
          return work(tx)
        }, options)
      try {
        return await db.tx(work, options)
      } catch (error) {
        erasing = erase()
        await held.promise
        throw error
      }
    },
  }
  const signing = signCredentials(
    signingDeps(service, { db: watched }),
    ids.map((issuanceId) => ({ tenantId: service.id, issuanceId })),
  )
  await eventually(async () => (await waitingForLocks(service)) > 0)
  isWaitedFor.resolve()
  const { outcomes } = await signing
  await erasing
  expect(outcomes.filter((outcome) => 'ok' in outcome)).toHaveLength(1)
  // A transaction that PostgreSQL ends because of a deadlock runs again.
  expect(runs).toEqual({ oneByOne: 1, erasing: 1 })
})
