import { expect, test } from 'vitest'
import { serveQueue } from '../../workers/serve.ts'
import { startWorkers } from '../../workers/start.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { startReceiver } from '../servers/receiver.ts'

/** Serves the signing queue like an earlier version, which takes the sealed text of a request for its items. */
function startOlderSigning({ broker, deps: { secrets, log } }: Service) {
  const consumer = broker.openConsumer('signing')
  let asked = 0
  const handlers = {
    signWebhooks: async () => {
      asked++
      throw new TypeError("Cannot read properties of undefined (reading 'map')")
    },
  }
  const parts = { consumer, secrets, log }
  const worker = serveQueue({ queue: 'signing', handlers, ...parts, concurrency: 2, takeoverMs: 3_000 })
  return {
    asked: () => asked,
    async stop() {
      await worker.close()
      consumer.disconnect()
    },
  }
}

test('deliveries that an earlier signing process cannot sign wait for a new one, without a failed attempt', async () => {
  await using service = await startService()
  await using receiver = await startReceiver()
  const { operator, deps, workers, clock } = service
  const { body } = await operator.post('/v1/webhooks', { events: ['OpenIdCredentialIssued'], url: receiver.url })
  const delivery = async () => (await operator.get(`/v1/webhooks/${body.id}/deliveries`)).body.data[0]
  await workers.stop()
  const older = startOlderSigning(service)
  const delivering = await startWorkers(['relay', 'delivery'], { ...deps, broker: service.broker })
  await operator.post(`/v1/webhooks/${body.id}/test`)
  await eventually(async () => older.asked() > 0)
  // It completes its running work.
  await delivering.stop()
  await older.stop()
  expect(await delivery()).toMatchObject({ status: 'pending', attempts: [] })
  expect(receiver.deliveries).toHaveLength(0)

  // Longer than the pause after an unexpected error.
  clock.advance(10_000)
  await workers.start()
  const delivered = await eventually(async () => {
    const now = await delivery()
    return now.status === 'delivered' && now
  })
  expect(delivered.attempts).toHaveLength(1)
  expect(receiver.deliveries).toHaveLength(1)
})
