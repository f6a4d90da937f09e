import { once } from 'node:events'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAdmission } from '../../api/http/admission.ts'
import { anyone, defineRoute } from '../../api/http/route.ts'
import { Problem } from '../../shared/errors/errors.ts'
import { NeverSent } from '../../shared/jobs/signing-queue.ts'
import { errorFields } from '../../shared/log/log.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { readAt, startKernel } from '../harness/kernel.ts'
import { newAuthorizationWallet, registerWallet } from '../wallets/authorization-wallet.ts'

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

test('each request is one line with its duration and client address', async () => {
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

test('health checks are not logged', async () => {
  const before = lines.length
  expect(await service.anonymous.get('/health/live')).toMatchObject({ status: 200 })
  expect(lines.slice(before)).toEqual([])
})

test('errors of clients are logged at info level without a stack', async () => {
  const before = lines.length
  const { status, headers } = await service.operator.post('/v1/messaging/decrypt', { jwe: { recipients: [] } })
  expect(status).toBe(400)
  expect(linesOf({ headers })).toMatchObject([{ level: 30, problem: 'BadRequest' }])
  const { host } = service
  const head = `Host: ${host}\r\nContent-Type: application/x-www-form-urlencoded\r\n`
  const answers = await Promise.all(
    [
      'GET http://[::: HTTP/1.1\r\nHost: x\r\n\r\n',
      'NO HTTP\r\n\r\n',
      `POST /oauth/token HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\nno length\r\n`,
      `POST /oauth/token HTTP/1.1\r\n${head}Content-Length: 10\r\n\r\nnot`,
      `POST /v1/users HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 1\r\n\r\n{`,
    ].map(sendRaw),
  )
  for (const answer of answers) expect(answer).toMatch(/^(HTTP\/1.1 4\d\d |$)/)
  await eventually(async () => lines.slice(before).some(({ reason }) => reason === 'The body is incomplete'))
  const logged = lines.slice(before)
  expect(logged.filter(({ level }) => Number(level) > 30)).toEqual([])
  expect(JSON.stringify(logged)).not.toContain('    at ')
})

/** Sends the text and ends the sending side. Returns the answer until the connection closes. */
async function sendRaw(text: string): Promise<string> {
  const { port, hostname } = new URL(service.origin)
  const socket = connect(Number(port), hostname)
    .setEncoding('utf8')
    .on('error', () => undefined)
  let answer = ''
  socket.on('data', (chunk: string) => {
    answer += chunk
  })
  socket.end(text)
  await once(socket, 'close')
  return answer
}

test('an unreachable provider is logged with the code of the system', async () => {
  const content = { url: 'http://127.0.0.1:1', clientId: 'c', clientSecret: 'a secret' }
  await service.operator.post('/v1/users/authentication-providers', content)
  await registerWallet(service)
  const wallet = newAuthorizationWallet(service, service.origin, await compactConfiguration(service))
  await wallet.browser.open(wallet.authorizeUrl())
  const [line] = lines.filter(({ msg }) => msg === 'sign-in provider unreachable')
  expect(JSON.stringify(line)).toContain('"systemCode":"ECONNREFUSED"')
})

test('refusals of a full queue are logged once per reason, and those of a limit are not logged', async () => {
  const before = lines.length
  const admission = createAdmission({ maxRunning: 1, maxRunningPerTenant: 1, maxWaitingPerTenant: 0, maxWaiting: 0 })
  const common = { host: 'tenant', access: anyone } as const
  const full = defineRoute({ ...readAt('/full'), ...common, async handle() {} })
  const thrown = ['unsent', 'ended', 'limit', 'bug'] as const
  const problems = {
    unsent: () => new NeverSent(),
    ended: () => new Problem('service_unavailable', { reason: 'The session ended' }),
    limit: () => new Problem('too_many_requests'),
    bug: () => new Problem('internal'),
  }
  const refusing = thrown.map((name) =>
    defineRoute({
      ...{ ...readAt(`/${name}`), host: 'any', access: anyone },
      async handle() {
        throw problems[name]()
      },
    }),
  )
  await using kernel = await startKernel([full, ...refusing], {}, { admission, log })
  admission.add({ tenantId: 'tenant', weight: 1, isUnderWay: false, admit() {} })
  for (let n = 0; n < 5; n++) {
    for (const name of ['full', ...thrown]) expect((await kernel.ask(`/${name}`)).status).toBeGreaterThan(400)
  }
  const of = (operation: string) => lines.slice(before).filter((line) => line.operation === `/${operation}`)
  const line = { level: 30, status: 503, times: 1, msg: 'refused' }
  expect(of('full')).toMatchObject([{ ...line, reason: 'Too many requests wait for a slot' }])
  expect(of('unsent')).toMatchObject([line])
  expect(of('ended')).toMatchObject([line])
  expect(of('limit')).toEqual([])
  expect(of('bug')).toHaveLength(5)
})
