import { execFileSync } from 'node:child_process'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFailed, test } from 'vitest'
import { keys } from '../../db/tables/identifiers/keys.ts'
import { keyParts } from '../../shared/domain/identifiers/key-policy.ts'
import type { ApiResponse } from '../harness/api-client.ts'
import { compactConfiguration, webConfiguration } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { expectNothingLost } from '../harness/kill-storm.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'
import { initializeToken, makeToken, type TestToken } from '../harness/softhsm.ts'
import { startReceiver } from '../servers/receiver.ts'
import { type Collected, collectPatiently } from '../wallets/persistent-wallet.ts'
import { newHolderKey } from '../wallets/wallet.ts'

const kinds = ['OpenIdCredentialIssued', 'OpenIdCredentialIssuedSummary']
/** Shorter than the time of a call of the library, so that a library that hangs is an alarm after requests have failed. */
const deadlineMs = 2_000
/** `TOKEN_FAULT_MS=60000` is the full proof: each fault then lasts a minute. */
const minFaultMs = Number(process.env.TOKEN_FAULT_MS ?? 0)

interface Fault {
  name: string
  begin(): void
  end(): void
}

/** The faults of a token, one after the other. A fault of the library shows when its process has started again, or in its next call. */
function faultsOf(token: TestToken, service: Processes): Fault[] {
  const [place, elsewhere] = [join(token.folder, 'tokens'), join(token.folder, 'elsewhere')]
  const signal = (name: 'SIGSTOP' | 'SIGKILL') => process.kill(libraryProcessOf(service), name)
  return [
    {
      name: 'wrong PIN',
      begin() {
        token.writePin('000000')
        signal('SIGKILL')
      },
      end: () => token.writePin(),
    },
    { name: 'session lost', begin: () => token.fail('lost'), end: () => token.fail() },
    {
      name: 'slot renumbered',
      begin() {
        // The process of the library does not see its token without keys.
        signal('SIGSTOP')
        renameSync(place, elsewhere)
        signal('SIGKILL')
      },
      end() {
        token.fail('renumbered')
        renameSync(elsewhere, place)
        initializeToken('another')
      },
    },
    { name: 'module hangs', begin: () => token.fail('hang'), end: () => token.fail() },
  ]
}

/** Returns the process of the library that the signing process has now. */
function libraryProcessOf(service: Processes): number {
  const parent = String(service.memoryOf('signing').pid)
  const output = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', parent], { encoding: 'utf8' })
  return Number.parseInt(output.split('\n').find((line) => line.includes('token-process.ts')) ?? '', 10)
}

/** The lines of the log about the token, in order. */
function linesOf(service: Processes): { msg: string; time: string; downMs?: number }[] {
  const lines = service.output().split('\n')
  return lines.filter((line) => /"msg":"key provider is /.test(line)).map((line) => JSON.parse(line))
}

const alarm = 'key provider is not available'
const recovery = 'key provider is available again'

/** Lets each fault last until requests have failed. Returns how long the recovery took after the end of each one. */
async function sufferFaults(service: Processes, faults: Fault[], answers: ApiResponse[]): Promise<Map<string, number>> {
  const recoveries = new Map<string, number>()
  let count = linesOf(service).length
  for (const { name, begin, end } of faults) {
    const refused = answers.filter(({ status }) => status === 503).length
    const beganAt = Date.now()
    begin()
    await eventually(
      async () =>
        linesOf(service).length > count &&
        answers.filter(({ status }) => status === 503).length > refused &&
        Date.now() - beganAt >= minFaultMs,
    )
    const endedAt = Date.now()
    end()
    await eventually(async () => linesOf(service).length >= count + 2)
    const issued = answers.length
    await eventually(async () => answers.slice(issued).filter(({ status }) => status === 200).length > 20)
    count = linesOf(service).length
    recoveries.set(name, Date.parse(linesOf(service).at(-1)?.time ?? '') - endedAt)
  }
  return recoveries
}

test('faults of a token under load: no credential is lost or doubled, and each fault is one alarm and one recovery', {
  tags: 'pkcs11',
  timeout: 900_000,
}, async () => {
  await using token = makeToken()
  await using receiver = await startReceiver()
  await using service = await startProcesses({
    CREDENTIAL_DEADLINE_MS: String(deadlineMs),
    KEY_PROVIDER: 'pkcs11',
    REQUIRE_HARDWARE_KEYS: keyParts.join(','),
    PKCS11_MODULE: token.settings.module,
    PKCS11_TOKEN: token.settings.uri,
    PKCS11_PIN_FILE: token.settings.pinFile,
    SOFTHSM2_CONF: join(token.folder, 'softhsm2.conf'),
  })
  onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))
  const { tenant, db } = service
  const configurationIds = [await compactConfiguration(tenant), await webConfiguration(tenant)]
  const webhook = { events: kinds, url: receiver.url }
  expect(await tenant.operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 201 })
  const providers = await db.read.selectDistinct({ provider: keys.provider }).from(keys)
  expect(providers).toEqual([{ provider: 'pkcs11' }])

  const answers: ApiResponse[] = []
  const onAnswer = (answer: ApiResponse) => void answers.push(answer)
  let isOver = false
  async function collectAlways(): Promise<Collected[]> {
    const key = await newHolderKey()
    const collected: Collected[] = []
    while (!isOver) collected.push(await collectPatiently(service, configurationIds, key, onAnswer))
    return collected
  }
  const collecting = Promise.all(Array.from({ length: 6 }, collectAlways))
  await eventually(async () => answers.length > 50)

  process.kill(libraryProcessOf(service), 'SIGKILL')
  await eventually(async () => linesOf(service).length >= 2)
  const [, killed] = linesOf(service)
  const recoveries = await sufferFaults(service, faultsOf(token, service), answers).finally(() => {
    isOver = true
  })
  const all = (await collecting).flat()
  console.info({
    killed: killed?.downMs,
    offers: all.length,
    refused: answers.filter(({ status }) => status !== 200).length,
    ...Object.fromEntries(recoveries),
  })

  await expectNothingLost(all, { service, receiver, configurationIds, kinds })
  for (const { status, headers } of answers)
    if (status !== 200) expect([status, headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)])
  expect(linesOf(service).map(({ msg }) => msg)).toEqual(Array.from({ length: 5 }, () => [alarm, recovery]).flat())
  // The shortest recovery, after a kill, measures the machine.
  const maxRecoveryMs = Math.max(5_000, 10 * (killed?.downMs ?? 0))
  for (const ms of recoveries.values()) expect(ms).toBeLessThanOrEqual(maxRecoveryMs)
})
