import { createServer, Server } from 'node:net'
import { pino } from 'pino'
import { Gauge, Registry } from 'prom-client'
import { expect, test, vi } from 'vitest'
import { createMeasured } from '../../shared/metrics/measured.ts'
import { serveMetricsOnceFree } from '../../shared/metrics/serve.ts'
import { eventually } from '../harness/harness.ts'
import { freePort } from '../harness/redis.ts'

test('concurrent scrapes share one measurement, which is cached for five seconds', async () => {
  let [at, count] = [0, 0]
  const measure = createMeasured(async () => void count++, { now: () => at })
  await Promise.all([measure(), measure(), measure()])
  expect(count).toBe(1)
  at = 4_999
  await measure()
  expect(count).toBe(1)
  at = 5_000
  await measure()
  expect(count).toBe(2)
})

test('a measurement that does not end is awaited for a limited time, and not started again meanwhile', async () => {
  let count = 0
  const hanging = Promise.withResolvers<void>()
  const hang = () => {
    count++
    return hanging.promise
  }
  const measure = createMeasured(hang, { waitMs: 5 })
  for (let scrape = 0; scrape < 3; scrape++) await measure()
  expect(count).toBe(1)
  hanging.resolve()
  await hanging.promise
  await measure()
  expect(count).toBe(1)
})

test('a worker whose port is in use logs it once, and serves metrics when the port is free', async () => {
  const place = { host: '127.0.0.1', port: await freePort() }
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(place, resolve))
  const logged: { setting?: string }[] = []
  const log = pino({}, { write: (line) => logged.push(JSON.parse(line)) })
  const registry = new Registry()
  new Gauge({ name: 'test_figure', help: 'Of the service', registers: [registry] }).set(7)
  new Gauge({ name: 'test_nothing', help: 'Of another process', labelNames: ['of'], registers: [registry] })
  let tries = 0
  const sources = { measure: async () => void tries++, ofService: async () => registry }
  const server = serveMetricsOnceFree(place, 'WORKER_OPS_PORT', sources, { log, retryMs: 20 })
  const attempts = vi.spyOn(Server.prototype, 'listen')
  await eventually(async () => attempts.mock.results.length > 5)
  // The server's own, and that of the attempt that is under way.
  expect(attempts.mock.results[0]?.value.listenerCount('listening')).toBeLessThanOrEqual(2)
  expect(logged).toHaveLength(1)
  await new Promise((resolve) => taken.close(resolve))
  const text = await eventually(async () => {
    const answer = await fetch(`http://127.0.0.1:${place.port}/metrics`).catch(() => undefined)
    return answer?.text()
  })
  expect(logged).toMatchObject([
    { setting: 'WORKER_OPS_PORT', port: place.port, reason: expect.stringContaining('EADDRINUSE') },
  ])
  expect(text).toContain('test_figure 7')
  expect([text.includes('test_nothing'), tries]).toEqual([false, 1])
  expect((await fetch(`http://127.0.0.1:${place.port}/`)).status).toBe(404)
  server.close()
})
