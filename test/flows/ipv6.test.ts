import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'
import { freePort } from '../harness/redis.ts'
import { inherited } from '../harness/started.ts'
import { newWallet } from '../wallets/wallet.ts'

describe('processes that listen on IPv6', { tags: 'ipv6' }, () => {
  let service: Processes
  let port: string
  let ports: { SIGNING_OPS_PORT: string; WORKER_OPS_PORT: string }
  beforeAll(async () => {
    ports = { SIGNING_OPS_PORT: String(await freePort()), WORKER_OPS_PORT: String(await freePort()) }
    service = await startProcesses({ ...ports, HOST: '::', OPS_HOST: '::1' })
    port = new URL(service.origin).port
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  test('a wallet collects a credential over IPv6, and IPv4 works at the same port', async () => {
    const tenant = await service.addTenant()
    const { uri } = await newOffer(tenant, [await compactConfiguration(tenant)])
    const wallet = await newWallet(tenant, `http://[::1]:${port}`, uri)
    await wallet.redeem()
    expect(await wallet.requestCredential()).toMatchObject({ status: 200 })
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200)
  })

  test('metrics and health checks work at an IPv6 address', async () => {
    for (const opsPort of [service.config.opsPort, ...Object.values(ports)]) {
      const response = await fetch(`http://[::1]:${opsPort}/metrics`)
      expect([opsPort, response.status]).toEqual([opsPort, 200])
    }
    const env = { ...inherited(), ...ports, PORT: port, OPS_HOST: '::1' }
    const checks = [
      ['web', '::'],
      ['web', '::1'],
      ['signing', '::'],
      ['worker', '::'],
    ] as const
    for (const [kind, HOST] of checks) {
      const { status, stderr } = spawnSync(process.execPath, ['shared/check-health.ts', kind], {
        env: { ...env, HOST },
      })
      expect([kind, HOST, status, String(stderr)]).toEqual([kind, HOST, 0, ''])
    }
  })
})
