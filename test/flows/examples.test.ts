import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApi } from '../harness/api-client.ts'
import { newOffer, webConfiguration } from '../harness/factories.ts'
import { type Service, startService } from '../harness/harness.ts'
import { freePort } from '../harness/redis.ts'
import { startProvider, type TestProvider } from '../servers/provider.ts'
import { newAuthorizationWallet } from '../wallets/authorization-wallet.ts'
import { makeProof, newHolderKey, newWallet } from '../wallets/wallet.ts'

let service: Service
let provider: TestProvider
beforeAll(async () => {
  service = await startService()
  provider = await startProvider(service)
  await service.platform.put(`/v1/tenants/${service.id}`, { publicClients: true })
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

/** Starts a program of examples/ and waits until it listens. */
async function startExample(file: string, args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [`examples/${file}`, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  await once(child.stdout, 'data')
  return {
    output: () => output,
    async [Symbol.asyncDispose]() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

test('examples/wallet.mjs collects a credential, and prints its usage without an offer', async () => {
  const { uri } = await newOffer(service, [await webConfiguration(service)])
  const run = (...args: string[]) => promisify(execFile)(process.execPath, ['examples/wallet.mjs', ...args])
  expect(JSON.parse((await run(uri)).stdout).credentials).toHaveLength(1)
  for (const args of [[], ['offer']])
    await expect(run(...args)).rejects.toMatchObject({
      code: 2,
      stderr: 'Usage: node examples/wallet.mjs OFFER_URI [TX_CODE]\n',
    })
})

test('examples/letters.mjs writes a letter for each link, with other columns and in the language of the person', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'letters-'))
  const [people, links, letters] = ['people.csv', 'links.csv', 'letters.html'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(people, 'number;name;language\r\n1;Ada <Lovelace>;\r\n2;Konrad Zuse;de\r\n3;Eve;en\r\n')
  writeFileSync(links, 'row,externalId,link\r\n1,1,https://a.example/l/x\r\n2,2,https://a.example/l/y\r\n')
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['examples/letters.mjs', people, links, letters, ...args])
  await expect(run()).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('has no column externalId') })
  await expect(run('--language', 'xx')).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('en') })
  expect((await run('--external-id', 'number', '--name', 'name')).stdout).toContain('2 letters')
  const page = readFileSync(letters, 'utf8')
  expect(page.match(/<svg/g)).toHaveLength(2)
  expect(page).toMatch(/Ada &#60;Lovelace&#62;[\s\S]*Your card for the phone[\s\S]*Konrad Zuse[\s\S]*Ihr Ausweis/)
  expect(page).not.toContain('Eve')
  rmSync(dir, { recursive: true })
})

test('examples/letters.mjs writes no letter for rows with an error, and the link of a row only to its person', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'letters-'))
  const [people = '', links = '', letters = ''] = ['people.csv', 'links.csv', 'letters.html'].map((name) =>
    join(dir, name),
  )
  writeFileSync(people, 'externalId,name\n1,Ada\n2\n\n3,Alan,x\n4,Bob "B"\n1,Eve\n5,Grace\n')
  writeFileSync(links, 'row,externalId,link\n1,1,https://a.example/l/x\n7,5,https://a.example/l/y\n')
  const args = ['examples/letters.mjs', people, links, letters, '--name', 'name']
  expect((await promisify(execFile)(process.execPath, args)).stdout).toContain('2 letters')
  const page = readFileSync(letters, 'utf8')
  expect(page.match(/<p>(Ada|Alan|Bob|Eve|Grace)/g)).toEqual(['<p>Ada', '<p>Grace'])
  rmSync(dir, { recursive: true })
})

const mapped = (name: string) => ({ [name]: { mapFrom: `claims.${name}`, required: true } })

test('examples/claim-source.mjs supplies claims to callers with its key', async () => {
  const port = String(await freePort())
  await using source = await startExample('claim-source.mjs', [port], { API_KEY: 'key-of-the-register' })
  const url = `http://127.0.0.1:${port}/`
  const body = { name: 'Register', url, requestParameters: { email: { mapFrom: 'claims.email' } } }
  const { body: saved } = await service.operator.post('/v1/claim-sources', {
    ...body,
    authorization: { type: 'api-key', value: 'key-of-the-register' },
  })
  const configurationId = await webConfiguration(service, {
    claimMappings: { ...mapped('given_name'), ...mapped('student_number') },
    claimSourceId: saved.id,
  })
  const claims = { given_name: 'Ada', email: 'ada@example.com' }
  const { uri } = await newOffer(service, [configurationId], { claims })
  const collected = await (await newWallet(service, service.origin, uri)).collect()
  expect(collected.body.credentials[0].credential.credentialSubject).toMatchObject({ student_number: 'S-1001' })
  for (const headers of [{}, { 'x-api-key': 'wrong' }]) {
    expect((await fetch(`${url}?email=ada@example.com`, { headers })).status).toBe(401)
  }
  expect(source.output()).toContain('GET 200')
  expect(source.output()).not.toMatch(/ada@example|S-1001|key-of/)
})

test('examples/interaction-component.mjs asks a person for a claim, which is issued', async () => {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}/`
  const hook = await service.operator.put('/v1/openid/configuration', { interactionHook: { url } })
  const env = { SECRET: hook.body.interactionHook.secret }
  await using _component = await startExample('interaction-component.mjs', [service.baseUrl, port], env)
  const configurationId = await webConfiguration(service, { claimMappings: mapped('student_number') })

  const wallet = newAuthorizationWallet(service, service.origin, configurationId)
  const page = await wallet.browser.signIn(wallet.authorizeUrl())
  const [, token = ''] = /name="session_token" value="([^"]+)"/.exec(page.html) ?? []
  const send = (fields: Record<string, string>) =>
    fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  expect(await (await send({ session_token: token, student_number: '12' })).text()).toContain('role="alert"')
  for (const wrong of [`${token.slice(0, -2)}xx`, `${token}."><script>alert(1)</script>`, '']) {
    const refused = await send({ session_token: wrong, student_number: 'S-1234' })
    expect([refused.status, await refused.text()]).toEqual([400, expect.not.stringContaining('<script>')])
  }

  const answered = await send({ session_token: token, student_number: 'S-1234' })
  const back = new URL(answered.headers.get('location') ?? '')
  const { location } = await wallet.browser.open(new URL(`${service.origin}${back.pathname}${back.search}`))
  const { body } = await wallet.redeem(location?.searchParams.get('code') ?? '')
  const nonce = (await service.anonymous.post('/v1/openid/nonce')).body.c_nonce
  const proof = await makeProof({ issuer: service.baseUrl, nonce, key: await newHolderKey() })
  const holder = createApi(service.origin, service.host, body.access_token)
  const request = { credential_configuration_id: configurationId, proofs: { jwt: [proof] } }
  const issued = await holder.post('/v1/openid/credential', request)
  expect(issued.body.credentials[0].credential.credentialSubject).toMatchObject({ student_number: 'S-1234' })
})

test('examples/issue-from-website.mjs offers a signed-in member a credential with the claims of its register', async () => {
  const port = String(await freePort())
  const configurationId = await webConfiguration(service, { claimMappings: mapped('family_name') })
  const clients = `/v1/tenants/${service.id}/clients`
  const { body: client } = await service.operator.post(clients, { name: 'Website', roles: ['issuer'] })
  const env = { CLIENT_ID: client.clientId, CLIENT_SECRET: client.clientSecret, CONFIGURATION_ID: configurationId }
  await using website = await startExample('issue-from-website.mjs', [service.baseUrl, port], env)
  const post = (path: string, fields: Record<string, string>, cookie = '') =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    })
  expect((await post('/credential', {})).status).toBe(401)
  expect((await post('/sign-in', { member: 'toString' })).status).toBe(401)
  const signedIn = await post('/sign-in', { member: '1002' })
  const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!
  // Claims of the browser have no effect.
  const offered = await post('/credential', { family_name: 'Mallory' }, cookie)
  expect(offered.status).toBe(303)
  const [, id = ''] = /offer (\S+)/.exec(website.output()) ?? []
  const { body: offer } = await service.operator.get(`/v1/openid/offers/${id}/details`)
  expect(offered.headers.get('location')).toBe(offer.page)
  const collected = await (await newWallet(service, service.origin, offer.uri)).collect()
  expect(collected.body.credentials[0].credential.credentialSubject).toMatchObject({ family_name: 'Hopper' })
  expect(website.output()).not.toMatch(/Hopper/)
})
