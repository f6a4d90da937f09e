// @module-tag redis

import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import { eventually } from '../harness/harness.ts'
import { startProcesses } from '../harness/processes.ts'
import { freePort } from '../harness/redis.ts'
import { inherited } from '../harness/started.ts'

const kinds = ['web', 'signing', 'worker'] as const
type Kind = (typeof kinds)[number]

/** Runs the health check of a container. Returns its exit code and what it printed. */
function checkHealth(words: string[], env: Record<string, string>): Promise<{ code: unknown; printed: string }> {
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      ['shared/check-health.ts', ...words],
      { env: { ...inherited(), ...env } },
      (error, stdout, stderr) => {
        resolve({ code: error ? error.code : 0, printed: stdout + stderr })
      },
    ),
  )
}

test('each process reports on its own port that it runs and is ready, and is not ready without what it needs', async () => {
  const env = { SIGNING_OPS_PORT: String(await freePort()), WORKER_OPS_PORT: String(await freePort()) }
  await using processes = await startProcesses(env, { queueIn: 'redis' })
  const { port, opsPort } = processes.config
  const settings = { ...env, PORT: String(port), OPS_PORT: String(opsPort) }
  const ports: Record<Kind, number | string> = {
    web: opsPort,
    signing: env.SIGNING_OPS_PORT,
    worker: env.WORKER_OPS_PORT,
  }
  const statusOf = async (kind: Kind, path: string) => (await fetch(`http://127.0.0.1:${ports[kind]}${path}`)).status
  const check = (kind: Kind) => checkHealth(kind === 'web' ? [] : [kind], settings)

  for (const kind of kinds) {
    await eventually(async () => (await statusOf(kind, '/health/ready')) === 200)
    expect(await statusOf(kind, '/health/live')).toBe(200)
    expect(await check(kind)).toEqual({ code: 0, printed: '' })
  }
  expect(await checkHealth(['other'], settings)).toMatchObject({ code: 2 })

  await processes.kill('redis')
  // The web process reaches the signing process of its machine without Redis.
  await eventually(async () => (await statusOf('worker', '/health/ready')) === 503)
  expect(await statusOf('web', '/health/ready')).toBe(200)
  await processes.kill('signing')
  for (const kind of ['web', 'worker'] as const) {
    await eventually(async () => (await statusOf(kind, '/health/ready')) === 503)
    expect(await statusOf(kind, '/health/live')).toBe(200)
    const { code, printed } = await check(kind)
    expect([code, printed]).toEqual([1, expect.stringContaining('503')])
  }

  await processes.kill('worker')
  expect(await check('worker')).toEqual({ code: 1, printed: expect.stringContaining('ECONNREFUSED') })
})
