import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CommandLine, newCommandLine } from '../harness/command-line.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { type Service, startService } from '../harness/harness.ts'

let service: Service
let line: CommandLine
let newHost: string
beforeAll(async () => {
  service = await startService()
  line = newCommandLine(service)
  await line.login()
  newHost = `localhost:${new URL(service.origin).port}`
})
afterAll(async () => {
  line.end()
  await service[Symbol.asyncDispose]()
})

/** Returns the findings about the new host and the old one. */
async function check(): Promise<{ code: number; findings: string[] }> {
  const { code, stdout } = await line.run(['doctor', '--new-host', newHost])
  return { code, findings: stdout.split('\n').filter((each) => /^\w+ +(new|old) /.test(each)) }
}

const setAliases = (id: string, aliases: string[]) =>
  service.platform.put(`/v1/tenants/${id}?partial=true`, { aliases })

test('the doctor says whether a new host serves the tenant, and what keeps the old host', async () => {
  const { code, findings } = await check()
  expect(code).toBe(1)
  expect(findings).toEqual([
    expect.stringMatching(/^ok +new dns +localhost is /),
    expect.stringMatching(/^skipped +new tls /),
    `error    new host      ${newHost} is no host of a tenant. An operator of the platform adds it to the aliases.`,
    `ok       old host      No credential and no open offer needs ${service.host}. Open claim links are not counted: see trustwright bulk show`,
  ])

  const other = await service.addTenant({ aliases: ['other.test', newHost] })
  expect((await check()).findings[2]).toBe(
    `error    new host      ${newHost} is a host of another tenant, whose issuer identifier is http://other.test.`,
  )

  await setAliases(other.id, ['other.test'])
  await setAliases(service.id, [newHost])
  service.clock.advance(2_000)
  await newOffer(service, [await compactConfiguration(service)])
  const moved = await check()
  expect(moved.code).toBe(0)
  expect(moved.findings.slice(2)).toEqual([
    `ok       new host      ${newHost} serves this tenant. The issuer identifier stays ${service.baseUrl}.`,
    `warning  old host      Open offers that name ${service.host}, so that it must stay: 1`,
  ])
})

test.each(['https://university.example', 'university.example/a', ''])('the new host %j is refused', async (host) => {
  const { code, stderr } = await line.run(['doctor', '--new-host', host])
  expect(code).toBe(1)
  expect(stderr).toMatch(/^--new-host must be a host, with the port if there is one, such as university\.example\.org/)
})
