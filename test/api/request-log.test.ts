import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorFields } from '../../shared/log.ts'
import { newAuthorizationWallet, registerWallet } from '../authorization-wallet.ts'
import { compactConfiguration } from '../factories.ts'
import { type Service, startService } from '../harness.ts'

const lines: Record<string, unknown>[] = []
const stream = new Writable({
  write(chunk, _encoding, done) {
    lines.push(JSON.parse(String(chunk)))
    done()
  },
})
const log = pino({ level: 'info', serializers: { err: errorFields } }, stream)

let service: Service
beforeAll(async () => {
  service = await startService({ log, env: { TRUSTED_PROXIES: '127.0.0.1' } })
})
afterAll(() => service[Symbol.asyncDispose]())

const linesOf = ({ headers }: { headers: Record<string, unknown> }) =>
  lines.filter(({ requestId }) => requestId === headers['x-request-id'])

test('each request is one line, with how long it took and who sent it', async () => {
  const { operator, id: tenantId } = service
  const forwarded = { 'x-forwarded-for': '203.0.113.7' }
  const answered = await operator.send('GET', '/v1/users', undefined, forwarded)
  const shared = { level: 30, tenantId, ms: expect.any(Number), address: '203.0.113.7' }
  expect(linesOf(answered)).toMatchObject([{ ...shared, operation: 'retrieveUsers', status: 200, msg: 'answered' }])
  const refused = await operator.send('POST', '/v1/users', { claims: 'secret claim' }, forwarded)
  const reason = 'Validation Error; claims: Must be an object'
  expect(linesOf(refused)).toMatchObject([
    { ...shared, operation: 'createUser', status: 400, problem: 'BadRequest', reason, msg: 'refused' },
  ])
  expect(JSON.stringify(lines)).not.toContain('secret claim')
})

test('health checks fill no log', async () => {
  const before = lines.length
  expect(await service.anonymous.get('/health/live')).toMatchObject({ status: 200 })
  expect(lines.slice(before)).toEqual([])
})

test('why a provider is not there is told by the system’s own code', async () => {
  const content = { url: 'http://127.0.0.1:1', clientId: 'c', clientSecret: 'a secret' }
  await service.operator.post('/v1/users/authentication-providers', content)
  await registerWallet(service)
  const wallet = newAuthorizationWallet(service, service.origin, await compactConfiguration(service))
  await wallet.browser.open(wallet.authorizeUrl())
  const [line] = lines.filter(({ msg }) => msg === 'a provider is not there')
  expect(JSON.stringify(line)).toContain('"systemCode":"ECONNREFUSED"')
})
