// @module-tag redis

import { expect, onTestFailed, test } from 'vitest'
import { dialect } from '../../db/columns.ts'
import type { QueueIn } from '../../shared/settings/config.ts'
import { compactConfiguration, newOffer, webConfiguration } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { surviveKills } from '../harness/kill-storm.ts'
import { type ProcessName, startProcesses } from '../harness/processes.ts'
import { freePort } from '../harness/redis.ts'
import { startReceiver } from '../servers/receiver.ts'
import { newWallet } from '../wallets/wallet.ts'

const kinds = ['OpenIdCredentialIssued', 'OpenIdCredentialIssuedSummary']

/** The arrangements in which a process has several roles, with the roles of the process that serves the API. One has its queues in SQLite. */
const arrangements: { names: ProcessName[]; roles: string[]; queueIn: QueueIn }[] = [
  { names: ['web,worker', 'signing'], roles: ['web', 'worker'], queueIn: 'redis' },
  { names: ['all'], roles: ['web', 'signing', 'worker'], queueIn: dialect === 'sqlite' ? 'database' : 'redis' },
]

test.each(arrangements)(
  '$names, queues in $queueIn: a credential is issued and its event delivered, each log line has its role, and SIGTERM ends the process',
  async ({ names, roles, queueIn }) => {
    await using receiver = await startReceiver()
    const ports = { SIGNING_OPS_PORT: String(await freePort()), WORKER_OPS_PORT: String(await freePort()) }
    await using service = await startProcesses(ports, { names, queueIn })
    const { tenant, origin, config } = service
    onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))
    expect(await tenant.operator.post('/v1/webhooks', { events: kinds, url: receiver.url })).toMatchObject({
      status: 201,
    })
    const offer = await newOffer(tenant, [await compactConfiguration(tenant)])
    expect(await (await newWallet(tenant, origin, offer.uri)).collect()).toMatchObject({ status: 200 })
    await eventually(async () => receiver.deliveries.length === 2)

    const lines = service.output().split('\n')
    const started = lines
      .filter((line) => /"msg":"(serving|working)"/.test(line))
      .map((line) => JSON.parse(line).process)
    expect(started.sort()).toEqual(['signing', 'web', 'worker'])
    await expectMetricsOnce(config.opsPort, roles)
    // The role signing of the second process serves its own metrics. The port of the worker is not used.
    await expect(fetch(`http://127.0.0.1:${ports.WORKER_OPS_PORT}/metrics`)).rejects.toThrow()

    for (const name of names) expect(await service.stop(name)).toBe(0)
    expect(
      service
        .errorOutput()
        .replaceAll(/^.*ended by 0$/gm, '')
        .trim(),
    ).toBe('')
  },
)

/** The roles of a process have one set of metrics, at the port of the first role. */
async function expectMetricsOnce(port: number, roles: string[]): Promise<void> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const infos = [...text.matchAll(/^trustwright_build_info\{.*process="(.*?)".*\} 1$/gm)].map(([, process]) => process)
  expect(infos).toEqual([roles.join(',')])
  expect(text).toMatch(/^trustwright_ready 1$/m)
  expect(text).toMatch(/^trustwright_check_ok\{check="signing"\} 1$/m)
  expect(text.match(/^process_cpu_seconds_total /gm)).toHaveLength(1)
  expect(text).toMatch(
    /^trustwright_http_request_duration_seconds_count\{operation="createManagementToken",status="200"\} [1-9]/m,
  )
  expect(text).toMatch(/^trustwright_webhook_deliveries_total\{outcome="delivered"\} 2$/m)
  expect(text).toMatch(/^trustwright_queue_jobs\{queue="delivery",state="waiting"\} \d+$/m)
  const issued = /^trustwright_credentials_issued_total\{profile="compact",asked_by="wallet"\} 1$/m
  if (roles.includes('signing')) expect(text).toMatch(issued)
  else expect(text).not.toMatch(issued)
}

test.each(arrangements)(
  '$names, queues in $queueIn, killed at any time: no offer is lost or used twice, and every issuance is delivered',
  {
    timeout: 600_000,
  },
  async ({ names, queueIn }) => {
    await using receiver = await startReceiver()
    await using service = await startProcesses({ CREDENTIAL_DEADLINE_MS: '5000' }, { names, queueIn })
    const { tenant } = service
    onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))
    const configurationIds = [await compactConfiguration(tenant), await webConfiguration(tenant)]
    expect(await tenant.operator.post('/v1/webhooks', { events: kinds, url: receiver.url })).toMatchObject({
      status: 201,
    })
    const [first = [], ...others] = names.map((name) => [name])
    await surviveKills({ service, receiver, configurationIds, kinds }, [first, ...others])
  },
)
