import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dataOf } from '../../../shared/client/errors.ts'
import { type Terminal, UsageError } from './command.ts'
import { createSessionClient } from './session-client.ts'

const waitsForMs = 5 * 60_000

/**
 * Opens a page of the console, where the operator allows this program, and returns the cookie of a session (RFC 8252, section 7.3;
 * RFC 7636). Throws a `UsageError` if the operator cancels or does not answer within five minutes.
 */
export async function signInWithBrowser(baseUrl: string, { env, stderr }: Terminal): Promise<string> {
  const codeVerifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(codeVerifier).digest('base64url')
  const state = randomBytes(16).toString('base64url')
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  let timer: NodeJS.Timeout | undefined
  const answer = new Promise<BrowserAnswer>((resolve, reject) => {
    server.on('request', (request, response) => answerBrowser(request, response, state, resolve))
    timer = setTimeout(() => reject(new UsageError('There was no sign-in within five minutes')), waitsForMs)
  })
  try {
    const { port } = server.address() as AddressInfo
    const page = new URL('/console/program', baseUrl)
    page.search = new URLSearchParams({ port: String(port), challenge, state }).toString()
    stderr.write(`Sign in in the browser. If no page opens, open this address on this computer:\n${page}\n`)
    openBrowser(page.href, env)
    const { code, respond } = await answer
    try {
      if (code === null) throw new UsageError('The sign-in was cancelled in the browser')
      const client = createSessionClient({ baseUrl, maxRetryMs: 30_000 })
      const { cookie } = await dataOf(client.POST('/console/program-sessions', { body: { code, codeVerifier } }))
      await respond('Signed in. You can close this page.')
      return cookie
    } catch (error) {
      await respond('Not signed in. You can close this page.')
      throw error
    }
  } finally {
    clearTimeout(timer)
    server.close()
    server.closeAllConnections()
  }
}

/** The request of the browser that returns from the console. */
interface BrowserAnswer {
  /** Null if the operator cancelled. */
  code: string | null
  /** Shows a text in the browser. */
  respond(text: string): Promise<void>
}

/** Takes the request of the browser that returns from the console. Other requests, such as for an icon, change nothing. */
function answerBrowser(
  { url = '/' }: IncomingMessage,
  response: ServerResponse,
  state: string,
  resolve: (answer: BrowserAnswer) => void,
): void {
  const parameters = url.startsWith('/?') ? new URLSearchParams(url.slice(2)) : new URLSearchParams()
  const isAnswer = parameters.get('state') === state
  response.writeHead(isAnswer ? 200 : 404, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' })
  if (!isAnswer) return void response.end('Not found')
  const respond = (text: string) => new Promise<void>((done) => void response.on('close', done).end(text))
  resolve({ code: parameters.get('code'), respond })
}

/** `BROWSER` names another program. Without a browser, the operator opens the printed address. */
function openBrowser(address: string, env: NodeJS.ProcessEnv): void {
  const program = env.BROWSER || { darwin: 'open', win32: 'explorer' }[process.platform as string] || 'xdg-open'
  spawn(program, [address], { stdio: 'ignore', detached: true, env })
    .on('error', () => undefined)
    .unref()
}
