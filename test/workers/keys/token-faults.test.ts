import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { register } from 'prom-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { publicKeyFromJwk } from '../../../shared/formats/jwk.ts'
import { openProviders } from '../../../workers/signing/keys/open-providers.ts'
import type { Token } from '../../../workers/signing/keys/pkcs11/open-token.ts'
import { parseKeyUri } from '../../../workers/signing/keys/pkcs11/token-uri.ts'
import { eventually } from '../../harness/harness.ts'
import { initializeToken, makeToken, type TestToken } from '../../harness/softhsm.ts'

const tags = { tags: 'pkcs11' as const }
const program = new URL('../../../workers/signing/keys/pkcs11/token-process.ts', import.meta.url)
const alarm = 'key provider is not available'
const recovery = 'key provider is available again'
/** They only end a test that hangs: a library that answers does not take as long beside a load. */
const limits = { requestMs: 120_000, callMs: 5_000, slowCallMs: 60_000 }
let made: TestToken

beforeEach(() => {
  made = makeToken()
})
afterEach(() => made[Symbol.asyncDispose]())

const messages = () => made.lines.map(({ msg }) => msg)

async function metric(): Promise<number | undefined> {
  const gauge = await register.getSingleMetric('trustwright_key_provider_up')?.get()
  return gauge?.values.find(({ labels }) => labels.provider === 'pkcs11')?.value
}

async function makeSigner(token: Token) {
  const { handle, publicJwk } = await token.generateKeyPair({ algorithm: 'ES256', label: 'signer', id: 'signer' })
  const key = { handle, algorithm: 'ES256' as const, publicKey: publicKeyFromJwk(publicJwk) }
  return (text: string) => token.sign(key, Buffer.from(text))
}

/** The processes of the library of the last tokens. */
function libraryProcesses(): number[] {
  const output = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
  const lines = output.split('\n').filter((line) => line.includes('token-process.ts'))
  return lines.map((line) => Number.parseInt(line, 10))
}

/** Signs 40 messages at once, lets something happen, and expects all signatures, one alarm and one recovery. */
async function expectRecovery(happen: () => void, mend: () => void | Promise<void> = () => {}): Promise<void> {
  const token = await made.open(limits)
  const sign = await makeSigner(token)
  await sign('before')
  happen()
  const signatures = Promise.all(Array.from({ length: 40 }, (_, at) => sign(`${at}`)))
  await eventually(async () => messages().includes(alarm))
  await mend()
  expect(await signatures).toHaveLength(40)
  expect(token.isUp()).toBe(true)
  expect(messages()).toEqual([alarm, recovery])
}

test('a killed process of the library is replaced, and no request fails', tags, async () => {
  await expectRecovery(() => process.kill(libraryProcesses()[0]!, 'SIGKILL'))
})

test('a stopped process of the library is replaced, and no request fails', tags, async () => {
  await expectRecovery(() => process.kill(libraryProcesses()[0]!, 'SIGSTOP'))
})

test.for(['crash', 'hang', 'lost'] as const)(
  'requests wait while the library fails in each call: %s',
  tags,
  async (fault) => {
    await expectRecovery(
      () => made.fail(fault),
      async () => {
        expect(await metric()).toBe(0)
        made.fail()
      },
    )
    expect(await metric()).toBe(1)
  },
)

test('a login that ended is repeated: a key that the token hides meanwhile is not missing', tags, async () => {
  const token = await made.open(limits)
  const sign = await makeSigner(token)
  const handles = await token.list()
  made.fail('logged-out')
  const [signature, listed, key] = await Promise.all([sign('waits'), token.list(), token.find(handles[0]!)])
  expect([signature.length, listed, key?.handle]).toEqual([64, handles, handles[0]])
  expect(messages()).toEqual([alarm, recovery])
  expect(made.calls('C_Login')).toBe(2)
})

test('a library that hangs in one call and answers checks meanwhile is one alarm', tags, async () => {
  const token = await made.open(limits)
  const sign = await makeSigner(token)
  made.fail('hang')
  const signature = sign('hangs')
  await eventually(async () => made.calls('C_Login') === 3)
  expect(messages()).toEqual([alarm])
  made.fail()
  await signature
  expect(messages()).toEqual([alarm, recovery])
})

test('a token that was taken away and put back in another slot is found again', tags, async () => {
  const [place, elsewhere] = [join(made.folder, 'tokens'), join(made.folder, 'elsewhere')]
  await expectRecovery(
    () => {
      renameSync(place, elsewhere)
      process.kill(libraryProcesses()[0]!, 'SIGKILL')
    },
    () => {
      made.fail('renumbered')
      renameSync(elsewhere, place)
      initializeToken('another')
    },
  )
})

test('a request that the token does not answer fails at its deadline, and the next one succeeds', tags, async () => {
  const token = await made.open({ ...limits, requestMs: 1_000 })
  const sign = await makeSigner(token)
  made.fail('hang')
  await expect(sign('late')).rejects.toThrow('The token did not answer in time')
  made.fail()
  await eventually(() => sign('next').catch(() => undefined))
})

test('the deadline of the requests of clients is that of the requests to the token', tags, async () => {
  const token = await made.open(limits)
  const lateKey = await token.generateKeyPair({ algorithm: 'ES256', label: 'late', id: 'late' })
  await token.close()

  const lines: string[] = []
  const log = pino({}, { write: (line) => void lines.push(line) })
  const [provider] = await openProviders({ token: made.settings, signers: new Map() }, log, 1)
  try {
    // Only a call of the key hangs: a search of a key that the token does not have can be answered within a millisecond.
    made.fail('hang')
    const publicKey = publicKeyFromJwk(lateKey.publicJwk)
    const key = { id: 'late', tenantId: 'late', algorithm: 'ES256' as const, publicKey, handle: lateKey.handle }
    await expect(provider!.signer(key).sign(Buffer.from('late'))).rejects.toThrow('The token did not answer in time')
    // A library that hangs is an alarm only after its own time.
    expect(lines).toEqual([])
  } finally {
    await provider?.close()
  }
})

test('a request that ends the process each time is given up', tags, async () => {
  const token = await made.open(limits)
  const sign = await makeSigner(token)
  made.fail('lost')
  await expect(sign('a')).rejects.toThrow('The token does not answer (CKR_SESSION_HANDLE_INVALID)')
})

test('a wrong PIN is tried once, until its file changes', tags, async () => {
  made.writePin('000000')
  await expect(made.open()).rejects.toThrow(/^The token refused the PIN in .* \(CKR_PIN_INCORRECT\)/)
  expect(made.calls('C_Login')).toBe(1)

  const opening = made.open({ ...limits, waitsForPin: true })
  await eventually(async () => messages().length > 0)
  expect(messages()).toEqual([alarm])
  expect(made.calls('C_Login')).toBe(2)
  made.writePin()
  const token = await opening
  expect(made.calls('C_Login')).toBe(3)
  await token.check()
  expect(JSON.stringify(made.lines)).not.toContain('000000')
})

test('a signing process that starts with a wrong PIN waits for another one', tags, async () => {
  made.writePin('000000')
  const opening = openProviders({ token: made.settings, signers: new Map() }, pino({ level: 'silent' }), 120_000)
  await eventually(async () => made.calls('C_Login') === 1)
  made.writePin()
  const [provider] = await opening
  await provider?.check()
  expect(made.calls('C_Login')).toBe(2)
  await provider?.close()
})

test('a PIN that changed while the service runs is tried once, and requests wait for the right one', tags, async () => {
  const token = await made.open(limits)
  const sign = await makeSigner(token)
  made.writePin('000000')
  process.kill(libraryProcesses()[0]!, 'SIGKILL')
  const signature = sign('waits')
  await eventually(async () => made.calls('C_Login') === 2)
  made.writePin()
  expect(await signature).toHaveLength(64)
  expect(made.calls('C_Login')).toBe(3)
})

test('the last try of the PIN of a token is left to the operator', tags, async () => {
  made.fail('final-try')
  await expect(made.open()).rejects.toThrow('The token allows one last try of its PIN')
  expect(made.calls('C_Login')).toBe(0)
})

test('a full token refuses a key, and has no part of it', tags, async () => {
  const token = await made.open(limits)
  made.fail('full')
  const key = { algorithm: 'ES256' as const, label: 'no place', id: 'no place' }
  await expect(token.generateKeyPair(key)).rejects.toThrow('The token is full')
  made.fail()
  expect(await token.list()).toEqual([])
  await token.generateKeyPair(key)
})

test('a key pair that was made by a process that ended before its answer is not made twice', tags, async () => {
  const token = await made.open(limits)
  made.fail('crash-once-made')
  const { handle } = await token.generateKeyPair({ algorithm: 'ES256', label: 'once', id: 'once' })
  expect(await token.list()).toEqual([handle])
})

test(
  'the process of the library has no PIN in its arguments and environment, and none of the secrets of the service',
  tags,
  async () => {
    process.env.SERVICE_SECRET = 'secret of the service'
    try {
      await made.open(limits)
      const [pid] = libraryProcesses()
      const shown = execFileSync('cat', [`/proc/${pid}/cmdline`, `/proc/${pid}/environ`], { encoding: 'latin1' })
      expect(shown).toContain('SOFTHSM2_CONF')
      expect(shown).not.toMatch(/271828|SERVICE_SECRET/)
    } finally {
      delete process.env.SERVICE_SECRET
    }
  },
)

test('a token that is closed gets its sessions back', tags, async () => {
  const token = await made.open(limits)
  await token.close()
  expect(made.calls('C_Finalize')).toBe(1)
  expect(libraryProcesses()).toEqual([])
})

test('a process whose library hangs ends with the signing process', tags, async () => {
  const token = await made.open(limits)
  const { handle } = await token.generateKeyPair({ algorithm: 'ES256', label: 'hangs', id: 'hangs' })
  const child = fork(program, { execArgv: [], serialization: 'advanced', env: { ...process.env } })
  child.send(made.settings)
  await once(child, 'message')
  made.fail('hang')
  const sign = { op: 'sign', key: parseKeyUri(handle), algorithm: 'ES256', input: Buffer.alloc(32) }
  child.send({
    requests: [
      { id: 1, request: sign },
      { id: 2, request: { op: 'check' } },
    ],
  })
  await once(child, 'message') // the answer to the second request: the first one hangs
  child.disconnect()
  await once(child, 'exit')
  expect(child.signalCode).toBe('SIGKILL')
})
