import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { eq, getTableColumns, getTableName, is, sql, Table } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import type { Database } from '../../db/client.ts'
import { insertConsoleSignIn } from '../../db/repos/console/sign-ins.ts'
import { insertListenerRequest } from '../../db/repos/operations/webhooks/listeners.ts'
import * as schema from '../../db/schema.ts'
import { privateKeyColumn, serviceSealedColumns } from '../../db/sealed-columns.ts'
import { authorizations } from '../../db/tables/issuance/authorizations.ts'
import { bulkFileChunks } from '../../db/tables/issuance/bulk-issuances.ts'
import { issuances } from '../../db/tables/issuance/issuances.ts'
import { plusMs } from '../../shared/clock.ts'
import { openCredentials } from '../../shared/jobs/answered-credentials.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import {
  bulkChunkContext,
  consoleSignInContext,
  listenerRequestContext,
  loginContext,
} from '../../shared/secrets/stored-contexts.ts'
import { newClaimLink } from '../harness/claim-links.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../harness/harness.ts'
import { inherited } from '../harness/started.ts'
import { bulkFields, csvFile, uploadTo } from '../harness/uploads.ts'
import { issued } from '../harness/verifying.ts'
import { newWaitingApproval } from '../harness/waiting-approval.ts'
import { startProvider } from '../servers/provider.ts'
import { newWallet } from '../wallets/wallet.ts'

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
  const provider = { ...login, claim: 'groups', roles: [{ value: 'staff', roles: ['issuer'] }] }
  expect(await tenant.operator.put('/v1/sign-in-provider', provider)).toMatchObject({ status: 200 })

  const introspection = { clientId: 'a', clientSecret: 'secret at the server' }
  const server = { name: 'City', issuer: 'https://city.example', audience: 'https://issuer.example', introspection }
  expect(await tenant.operator.post('/v1/openid/authorization-servers', server)).toMatchObject({ status: 201 })

  const { id: issuanceId } = await issuanceIn(service, tenant)
  const link = await newClaimLink(service, tenant, [await compactConfiguration(tenant)])
  const bulkId = await bulkInState(tenant, 'done', { validateOnly: 'false', keepColumns: 'given_name' })
  await bulkInState(tenant, 'ready', { validateOnly: 'true' })
  const approve = async (id: string) => (await tenant.operator.post(`/v1/approvals/${id}/approve`, {})).status
  const waitingId = await newWaitingApproval(service, tenant.id)
  expect(await approve(await newWaitingApproval(service, tenant.id))).toBe(200)

  const configurationIds = [await compactConfiguration(tenant)]
  const offer = await newOffer(tenant, configurationIds, { transactionCodeConfiguration: {} })
  const wallet = await newWallet(tenant, service.origin, offer.uri)
  expect(await tenant.operator.post('/v1/openid/offers', { credentials: configurationIds })).toMatchObject({
    status: 200,
  })
  const pages = await pagesOf(tenant)
  expect(await tenant.operator.post('/v1/users', {}, { 'idempotency-key': randomUUID() })).toMatchObject({
    status: 201,
  })
  await addRowsOfRequests(service, tenant)
  const sealed = serviceSealedColumns.map(placeOf).sort()
  expect(await placesWithSeals(service.deps.db)).toEqual([...sealed, placeOf(privateKeyColumn)].sort())

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
  expect(await reseal(newer, older)).toEqual({ code: 0, said: '22 resealed, 0 left.\n' })
  expect(await reseal(newer)).toEqual({ code: 0, said: '0 resealed, 0 left.\n' })
  // The format of earlier versions is replaced.
  expect(await resealIn('1', newer)).toEqual({ code: 0, said: '22 resealed, 0 left.\n' })
  expect(await reseal(newer)).toEqual({ code: 0, said: '22 resealed, 0 left.\n' })
  const { code, said } = await reseal(older)
  expect(code).toBe(1)
  expect(said).toContain('0 resealed, 22 left.')
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

  // What the tenant gave out is derived from its own secret.
  expect(await pagesOf(tenant)).toEqual(pages)
  for (const page of pages) expect(await tenant.anonymous.get(new URL(page).pathname)).toMatchObject({ status: 200 })
  expect(await wallet.redeem({ tx_code: offer.transactionCode ?? '' })).toMatchObject({ status: 200 })
  const { pathname } = new URL(link.address)
  expect(await tenant.anonymous.post(pathname)).toMatchObject({ status: 303 })
  expect((await tenant.anonymous.get(`${pathname}/state`)).body).toMatchObject({ state: 'offered' })
})

const placeOf = ({ table, column }: { table: PgTable; column: PgColumn }) => `${getTableName(table)} ${column.name}`

/** The first bytes of a sealed value of the days until 2149, in base64url. */
const beginOfSeal = Buffer.from('TWS2\0\0').toString('base64url')

/** Returns the columns of all tables in which a text has the beginning of a sealed value, or bytes begin with it. */
async function placesWithSeals(db: Database): Promise<string[]> {
  const tables = Object.values(schema).filter((each) => is(each, Table)) as PgTable[]
  const places: string[] = []
  for (const table of tables)
    for (const column of Object.values(getTableColumns(table))) {
      const texts = await db.read.select({ text: sql<unknown>`${column}` }).from(table)
      const hasSecret = texts.some(({ text }) =>
        Buffer.isBuffer(text)
          ? text.toString('base64url').startsWith(beginOfSeal)
          : JSON.stringify(text ?? '').includes(beginOfSeal),
      )
      if (hasSecret) places.push(placeOf({ table, column }))
    }
  return places.sort()
}

/** Adds rows that requests remove after a moment. */
async function addRowsOfRequests({ deps: { db, clock, secrets } }: Service, { id: tenantId }: TestTenant) {
  const [id, at] = [randomUUID(), clock.now()]
  const times = { createdAt: at, expiresAt: plusMs(at, 600_000) }
  const [sealedRequest, signIn] = [
    secrets.seal('{}', listenerRequestContext(id)),
    secrets.seal('{}', consoleSignInContext(id)),
  ]
  const content = secrets.sealBytes(Buffer.from([0xff]), bulkChunkContext(id, 10))
  const authorization = {
    ...{
      id,
      tenantId,
      state: 'login' as const,
      clientId: id,
      redirectUri: '',
      configurationIds: [] as string[],
      detailsRequested: false,
    },
    ...{ codeChallenge: '', requestParameters: {}, sealedLogin: secrets.seal('{}', loginContext(id)), ...times },
  }
  await db.tx(async (tx) => {
    await insertListenerRequest(tx, { id, tenantId, webhookId: id, sealedRequest, createdAt: at })
    await insertConsoleSignIn(tx, { id, tenantId, stateHash: id, browserHash: id, sealedRequest: signIn, ...times })
    await tx.insert(bulkFileChunks).values({ tenantId, bulkId: id, position: 10, content })
    await tx.insert(authorizations).values(authorization)
  })
}

/** Returns the addresses of the pages of all offers, as the list of offers shows them. */
async function pagesOf({ operator }: TestTenant): Promise<string[]> {
  const { body } = await operator.get('/v1/openid/offers')
  return body.data.map(({ page }: { page: string }) => page)
}

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
