import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { issuances } from '../../db/tables/issuance/issuances.ts'
import { openCredentials } from '../../shared/jobs/answered-credentials.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import { newClaimLink } from '../harness/claim-links.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../harness/harness.ts'
import { inherited } from '../harness/started.ts'
import { bulkFields, csvFile, uploadTo } from '../harness/uploads.ts'
import { issued } from '../harness/verifying.ts'
import { newWaitingApproval } from '../harness/waiting-approval.ts'
import { startProvider } from '../servers/provider.ts'

test('secrets that tenants share with other services stay readable after a change of SERVICE_SECRET', async () => {
  await using service = await startService()
  const { databaseUrl, serviceSecrets } = service.deps.config
  const tenant = await service.addTenant()
  await using _provider = await startProvider(tenant)
  const url = 'https://source.example/claims'
  const source = { name: 'Source', url, authorization: { type: 'api-key', value: 'key-of-the-source' } }
  expect(await tenant.operator.post('/v1/claim-sources', source)).toMatchObject({ status: 201 })
  const hook = { interactionHook: { url: 'https://hook.example/', disabled: false } }
  expect(await tenant.operator.put('/v1/openid/configuration', hook)).toMatchObject({ status: 200 })

  const login = { name: 'Login', issuer: 'https://login.example', clientId: 'a', clientSecret: 'secret at the login' }
  const given = { ...login, claim: 'groups', roles: [{ value: 'staff', roles: ['issuer'] }] }
  expect(await tenant.operator.put('/v1/sign-in-provider', given)).toMatchObject({ status: 200 })

  const { id: issuanceId } = await issuanceIn(service, tenant)
  const link = await newClaimLink(service, tenant, [await compactConfiguration(tenant)])
  const bulkId = await bulkInState(tenant, 'done', { validateOnly: 'false', keepColumns: 'given_name' })
  await bulkInState(tenant, 'ready', { validateOnly: 'true' })
  const approve = async (id: string) => (await tenant.operator.post(`/v1/approvals/${id}/approve`, {})).status
  const waitingId = await newWaitingApproval(service, tenant.id)
  expect(await approve(await newWaitingApproval(service, tenant.id))).toBe(200)

  const resealIn = async (SEAL_FORMAT: string, ...secrets: Buffer[]) => {
    const SERVICE_SECRET = secrets.map((each) => each.toString('base64')).join()
    const child = spawn(process.execPath, ['api/cli/reseal.ts'], {
      env: { ...inherited(), DATABASE_URL: databaseUrl, SERVICE_SECRET, SEAL_FORMAT, LOG_LEVEL: 'fatal' },
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
    const [code] = await once(child, 'close')
    return { code, said }
  }
  const reseal = (...secrets: Buffer[]) => resealIn('2', ...secrets)
  const [older] = serviceSecrets
  const newer = randomBytes(32)
  expect(await reseal(newer, older)).toEqual({ code: 0, said: '11 resealed, 0 left.\n' })
  expect(await reseal(newer)).toEqual({ code: 0, said: '0 resealed, 0 left.\n' })
  // The format of earlier versions is replaced.
  expect(await resealIn('1', newer)).toEqual({ code: 0, said: '11 resealed, 0 left.\n' })
  expect(await reseal(newer)).toEqual({ code: 0, said: '11 resealed, 0 left.\n' })
  const { code, said } = await reseal(older)
  expect(code).toBe(1)
  expect(said).toContain('0 resealed, 11 left.')
  expect(said).toMatch(
    /^The authorization of the claim source \S+ cannot be opened with any configured SERVICE_SECRET/m,
  )
  expect(said).not.toContain('key-of-the-source')

  const { credentials } = await issuanceOf(service, issuanceId)
  expect(openCredentials(createSecrets([newer]), issuanceId, credentials ?? [])).toHaveLength(1)
  expect(() => openCredentials(createSecrets([older]), issuanceId, credentials ?? [])).toThrow()

  // The web process of the test gets the newer secret only.
  service.deps.secrets = createSecrets([newer])
  const results = await tenant.operator.get(`/v1/bulk-issuances/${bulkId}/results`)
  expect([results.status, results.body]).toEqual([200, expect.stringMatching(/,Ada\r\n$/)])
  expect(await approve(waitingId)).toBe(200)

  // The address of the link was derived from the older secret.
  const { pathname } = new URL(link.address)
  expect(await tenant.anonymous.post(pathname)).toMatchObject({ status: 303 })
  expect((await tenant.anonymous.get(`${pathname}/state`)).body).toMatchObject({ state: 'offered' })
})

/** Uploads a file with one person, and returns the bulk issuance when it has a state. */
async function bulkInState(tenant: TestTenant, state: string, fields: Record<string, string>): Promise<string> {
  const all = bulkFields(await compactConfiguration(tenant), fields)
  const { body } = await uploadTo(
    tenant.operator,
    '/v1/bulk-issuances',
    ['file', csvFile('number,given_name\n1,Ada\n')],
    ...all,
  )
  await eventually(async () => (await tenant.operator.get(`/v1/bulk-issuances/${body.id}`)).body.state === state)
  return body.id
}

/** The issuance of a credential that a wallet collected. */
async function issuanceIn(service: Service, tenant: TestTenant) {
  await issued(service, tenant, await compactConfiguration(tenant))
  const [row] = await service.deps.db.read.select().from(issuances).where(eq(issuances.tenantId, tenant.id))
  return row!
}

async function issuanceOf({ deps }: Service, id: string) {
  const [row] = await deps.db.read.select().from(issuances).where(eq(issuances.id, id))
  return row!
}
