import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { createTokenSource } from '../../../../shared/client/token.ts'
import { type Command, type CommandCall, type Terminal, textOf, UsageError } from '../command.ts'
import { fetchFrom } from '../fetch-from.ts'
import { parseOrigin, profileNameOf, profilesFile, storeProfile } from '../profiles.ts'
import { readInput } from '../read-input.ts'
import { withRetryNotice } from '../retry-notice.ts'

export const login: Command = {
  name: 'login',
  usage: '',
  summary: 'Store the credentials of a management client, or a session that a browser allows, as a profile',
  options: {
    'base-url': { type: 'string', value: 'URL', help: 'The base URL of the tenant' },
    browser: { type: 'boolean', help: 'Sign in at the console in a browser instead of with a client' },
    'client-id': { type: 'string', value: 'ID', help: 'The id of the management client' },
    'client-secret-file': {
      type: 'string',
      value: 'FILE',
      help: 'A file with the secret. Without it the secret is read from the terminal or from standard input',
    },
  },
  examples: [
    'trustwright login --base-url https://acme.issuer.example --client-id 5e2a3f0c-6a51-4d0f-9c68-6f2a0c5d7e11',
    'trustwright login --base-url https://acme.issuer.example --browser',
    'trustwright login --profile production --base-url URL --client-id ID --client-secret-file /run/secrets/client',
  ],
  async run(call) {
    const { terminal } = call
    const baseUrl = baseUrlOf(required(call, 'base-url'))
    const profile = profileNameOf(terminal.env, call.profile)
    const file = profilesFile(terminal.env)
    if (call.values.browser === true) {
      // Loaded on demand: its HTTP server takes time that the help of the command does not need.
      const { signInWithBrowser } = await import('../browser-sign-in.ts')
      storeProfile(terminal.env, profile, { baseUrl, cookie: await signInWithBrowser(baseUrl, terminal) })
      call.print({ profile, baseUrl, file }, `Stored a session as the profile "${profile}" in ${file}`)
      return 0
    }
    const clientId = required(call, 'client-id')
    const secretFile = textOf(call, 'client-secret-file')
    const clientSecret = (
      secretFile === undefined ? await readSecret(terminal) : await readInput(secretFile, terminal)
    ).trim()
    if (clientSecret === '') throw new UsageError('The secret is empty')
    const credentials = { baseUrl, clientId, clientSecret }
    const limits = { maxRetryMs: 30_000 }
    const send = withRetryNotice(fetch, { ...limits, baseUrl, stderr: terminal.stderr })
    await createTokenSource(credentials, limits, fetchFrom(baseUrl, send)).token()
    storeProfile(terminal.env, profile, credentials)
    call.print({ profile, baseUrl, clientId, file }, `Stored the profile "${profile}" in ${file}`)
    return 0
  },
}

function required(call: CommandCall, name: string): string {
  const value = textOf(call, name)
  if (value === undefined) throw new UsageError(`--${name} is required`)
  return value
}

function baseUrlOf(text: string): string {
  const { protocol, hostname, origin } = new URL(parseOrigin(text, '--base-url'))
  const isLocal = /^(localhost|.+\.localhost|127\.0\.0\.1)$/.test(hostname)
  if (protocol === 'https:' || isLocal) return origin
  throw new UsageError('--base-url must be https, because the secret is sent to it')
}

/** Reads a line without showing it. */
async function readSecret({ stdin, stderr }: Terminal): Promise<string> {
  if (stdin.isTTY) stderr.write('Client secret: ')
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: hidden, terminal: Boolean(stdin.isTTY) })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
    if (stdin.isTTY) stderr.write('\n')
  }
}
