import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'
import { joinWithCommandLine, program } from '../harness/command-line.ts'
import { startReceiver, verify } from '../servers/receiver.ts'

const { service, line, end } = await joinWithCommandLine()
afterAll(end)

test('webhooks listen sends signed requests to a local receiver, reports its answers, and removes the webhook', async () => {
  await using receiver = await startReceiver(() => ({ status: 202, body: 'taken' }))
  const args = ['webhooks', 'listen', '--forward-to', receiver.url, '--event', 'OpenIdCredentialIssued', '--json']
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, TRUSTWRIGHT_CONFIG: line.config },
  })
  const stderr = child.stderr.setEncoding('utf8').toArray()
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const { webhookId: id, ...listening } = JSON.parse((await lines.next()).value ?? '')
  expect([id, listening]).toEqual([expect.any(String), { forwardTo: receiver.url }])
  expect((await service.operator.post(`/v1/webhooks/${id}/test`)).status).toBe(202)

  const printed = JSON.parse((await lines.next()).value ?? '')
  expect(printed).toMatchObject({ type: 'OpenIdCredentialIssued', status: 202, answer: 'taken', isReported: true })
  const [delivery] = receiver.deliveries
  expect(delivery?.body).toMatchObject({ webhookId: id, deliveryId: printed.deliveryId })
  const keys = (await service.anonymous.get('/v1/webhooks/jwks')).body
  expect(await verify(delivery!, keys)).toBe(true)
  await expect
    .poll(async () => (await service.operator.get(`/v1/webhooks/${id}/deliveries`)).body.data)
    .toMatchObject([{ status: 'delivered', attempts: [{ status: 202, answer: 'taken' }] }])

  child.kill('SIGINT')
  const [code] = await once(child, 'close')
  expect([code, (await stderr).join('')]).toEqual([0, ''])
  expect((await service.operator.get(`/v1/webhooks/${id}`)).status).toBe(404)
})

test('webhooks listen needs a local address and a known event', async () => {
  for (const [args, message] of [
    [[], '--forward-to is required'],
    [['--forward-to', 'https://example.org'], 'Must have a loopback host'],
    [['--forward-to', 'http://localhost:1', '--event', 'Other'], '--event must be one of'],
  ] as const)
    expect(await line.run(['webhooks', 'listen', ...args])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(message),
    })
})
