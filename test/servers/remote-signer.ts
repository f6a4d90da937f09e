import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createPublicKey } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import type { Clock } from '../../shared/clock.ts'
import { type KeySigner, readKeySigners } from '../../shared/settings/key-signers.ts'
import type { KeyProvider } from '../../workers/signing/keys/provider.ts'
import { createRemoteProvider } from '../../workers/signing/keys/remote/remote-provider.ts'
import { inherited } from '../harness/started.ts'

/** Returns a temporary folder of the test. */
export function newFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'trustwright-signer-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** The reference server of examples/, which a test can stop and start again with its keys. */
export interface ReferenceSigner {
  url: string
  tokenFile: string
  stop(): Promise<void>
  start(): Promise<void>
}

export async function startReferenceSigner(env: Record<string, string> = {}): Promise<ReferenceSigner> {
  const dir = newFolder()
  const tokenFile = join(dir, 'token')
  writeFileSync(tokenFile, 'first-token\n')
  let child: ChildProcess | undefined
  let port = '0'
  const start = async () => {
    const words = ['examples/remote-signer.mjs', port]
    const variables = { ...inherited(), TOKEN_FILE: tokenFile, KEYS: join(dir, 'keys'), ...env }
    child = spawn(process.execPath, words, { env: variables, stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = await once(child.stdout?.setEncoding('utf8') ?? child, 'data')
    port = /port (\d+)/.exec(line)?.[1] ?? ''
  }
  const stop = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  await start()
  onTestFinished(stop)
  return { url: `${env.TLS_CERT ? 'https://localhost' : 'http://127.0.0.1'}:${port}`, tokenFile, start, stop }
}

export interface ApiCall {
  method: string
  /** The path with the query. */
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** An answer with status, JSON and headers. `hang` never answers, and `reset` closes the connection. */
export type FakeAnswer =
  | { status?: number; json?: unknown; body?: string; headers?: Record<string, string> }
  | 'hang'
  | 'reset'

/** Starts an HTTP server that returns what the test wants, and records the calls. */
export async function startFakeApi(answerTo: (call: ApiCall) => FakeAnswer | Promise<FakeAnswer>) {
  const calls: ApiCall[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    const call = { method, path, headers, body: await text(request) }
    calls.push(call)
    const answer = await answerTo(call)
    if (answer === 'hang') return
    if (answer === 'reset') return void request.socket.destroy()
    const { status = 200, json, body = json === undefined ? '' : JSON.stringify(json) } = answer
    response.writeHead(status, { 'content-type': 'application/json', ...answer.headers }).end(body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => server.close().closeAllConnections())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls }
}

/** Reads settings of a signer as a process does. */
export function readSigner(settings: object): KeySigner {
  const file = join(newFolder(), 'signers.json')
  writeFileSync(file, JSON.stringify({ signers: { test: settings } }))
  return readKeySigners({ KEY_SIGNERS: file }).get('test')!
}

/** Opens the provider `remote:test`. `lines` has the lines of its log. */
export function openProvider(
  settings: object,
  clock?: Clock,
): { provider: KeyProvider; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) })
  const provider = createRemoteProvider('test', readSigner(settings), { log, ...(clock && { clock }) })
  onTestFinished(() => provider.close())
  return { provider, lines }
}

export const tenantId = '0b8d2d1c-6f0a-4f5e-9f7b-3a51f0f3c111'

/** Makes a signing key, and returns its signer with its handle. */
export async function newSigner(provider: KeyProvider, algorithm: 'ES256' | 'Ed25519' = 'ES256', id = 'key-1') {
  const { handle, publicJwk } = await provider.generate({
    id,
    tenantId,
    purpose: 'did',
    label: `label of ${id}`,
    algorithm,
  })
  const publicKey = createPublicKey({ key: { ...publicJwk }, format: 'jwk' })
  return { handle, publicKey, signer: provider.signer({ id, tenantId, algorithm, publicKey, handle }) }
}

/** Makes certificates with OpenSSL: of a server, of a client, and of a client of another issuer. */
export function makePki() {
  const dir = newFolder()
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: dir, stdio: 'ignore' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const selfSigned = (name: string) =>
    openssl(
      'req',
      '-x509',
      ...newKey,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.pem`,
      '-days',
      '30',
      '-subj',
      `/CN=${name}`,
    )
  const signed = (name: string, extension: string) => {
    writeFileSync(join(dir, `${name}.ext`), extension)
    openssl('req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`)
    const issuer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial']
    openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      ...issuer,
      '-out',
      `${name}.pem`,
      '-days',
      '30',
      '-extfile',
      `${name}.ext`,
    )
  }
  selfSigned('ca')
  selfSigned('stranger')
  signed('server', 'subjectAltName=DNS:localhost')
  signed('client', 'extendedKeyUsage=clientAuth')
  const filesOf = (name: string) => ({ cert: join(dir, `${name}.pem`), key: join(dir, `${name}.key`) })
  return {
    ca: filesOf('ca'),
    server: filesOf('server'),
    client: filesOf('client'),
    stranger: filesOf('stranger'),
    copy(from: { cert: string; key: string }, cert: string, key: string) {
      copyFileSync(from.key, key)
      copyFileSync(from.cert, cert)
    },
  }
}
