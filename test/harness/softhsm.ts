import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { ck, loadCryptoki } from '../../workers/signing/keys/pkcs11/cryptoki.ts'
import { moduleFolder } from '../../workers/signing/keys/pkcs11/module-folder.ts'
import { openToken, type Token, type TokenOptions } from '../../workers/signing/keys/pkcs11/open-token.ts'

const softHsm = '/usr/lib/softhsm/libsofthsm2.so'
const pin = '271828'

/** A fault of the library of a token. See faulty-library.c. */
export type LibraryFault =
  | 'hang'
  | 'crash'
  | 'lost'
  | 'logged-out'
  | 'final-try'
  | 'renumbered'
  | 'full'
  | 'crash-once-made'
  | 'no-import'

export interface TestToken {
  /** The settings of the token. */
  settings: { module: string; uri: string; pinFile: string }
  /** The lines of the log of the tokens that `open` opened. */
  lines: { level: number; msg: string; reason?: string }[]
  open(options?: Partial<TokenOptions>): Promise<Token>
  writePin(text?: string): void
  /** Makes the library fail from now on. Without a fault it works again. */
  fail(fault?: LibraryFault): void
  /** Counts the calls of a function by all processes. */
  calls(name: 'C_Login' | 'C_Finalize'): number
  /** Stores a secret key of AES-256 in the token. Returns its URI. */
  importSecretKey(label: string, secret: Buffer): string
  /** Generates a secret key in the token whose id is the letter a. */
  addSecretKey(label: string, key: { isExtractable: boolean }): Promise<void>
  folder: string
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Makes a token of SoftHSM2 in a folder of its own, with a library that can fail. The processes of its library find the folder by
 * SOFTHSM2_CONF, so that a test file has one token at a time.
 */
export function makeToken(label = 'issuer one'): TestToken {
  const { folder, env } = makeTokenFolder(label)
  process.env.SOFTHSM2_CONF = env.SOFTHSM2_CONF
  const [uri, pinFile] = [env.PKCS11_TOKEN, env.PKCS11_PIN_FILE]
  const [control, calls] = ['control', 'calls'].map((name) => join(folder, name)) as [string, string]
  const writePin = (text = pin) => writeFileSync(pinFile, `${text}\n`)
  const settings = { module: buildLibrary(folder, { control, calls }), uri, pinFile }
  const lines: TestToken['lines'] = []
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
  const opened: Token[] = []
  return {
    ...{ settings, lines, folder, writePin },
    async open(options = {}) {
      const token = await openToken({ ...settings, log, ...options })
      opened.push(token)
      return token
    },
    fail: (fault) => (fault ? writeFileSync(control, fault) : rmSync(control, { force: true })),
    calls(name) {
      const recorded = existsSync(calls) ? readFileSync(calls, 'utf8') : ''
      return recorded.split(name === 'C_Login' ? 'L' : 'F').length - 1
    },
    importSecretKey(label, secret) {
      const file = join(folder, 'secret-key')
      writeFileSync(file, secret)
      const named = ['--token', decodeURIComponent(uri.slice('pkcs11:token='.length)), '--label', label, '--id', '61']
      execFileSync('softhsm2-util', ['--import', file, '--aes', ...named, '--pin', pin], { stdio: 'pipe' })
      return `${uri};id=%61;object=${label};type=secret-key`
    },
    addSecretKey: (label, { isExtractable }) => addSecretKey(label, isExtractable),
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((token) => token.close()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Adds a token to the folder of the last one. */
export function initializeToken(label: string, env: { SOFTHSM2_CONF?: string } = {}): void {
  execFileSync('softhsm2-util', ['--init-token', '--free', '--label', label, '--pin', pin, '--so-pin', '31415926'], {
    stdio: 'pipe',
    env: { ...process.env, ...env },
  })
}

/** Makes a token of SoftHSM2 in a folder of its own. `env` has the settings of a process that uses it. */
export function makeTokenFolder(label: string) {
  const folder = mkdtempSync(join(tmpdir(), 'trustwright-token-'))
  const [tokens, configuration, pinFile] = ['tokens', 'softhsm2.conf', 'pin'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  mkdirSync(tokens)
  writeFileSync(configuration, `directories.tokendir = ${tokens}\nobjectstore.backend = file\n`)
  writeFileSync(pinFile, `${pin}\n`)
  const uri = `pkcs11:token=${encodeURIComponent(label)}`
  const env = { PKCS11_MODULE: softHsm, PKCS11_TOKEN: uri, PKCS11_PIN_FILE: pinFile, SOFTHSM2_CONF: configuration }
  initializeToken(label, env)
  return { folder, env, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

function buildLibrary(folder: string, files: { control: string; calls: string }): string {
  const library = join(folder, 'faulty-library.so')
  const paths = { LIBRARY: softHsm, CONTROL: files.control, CALLS: files.calls }
  const defined = Object.entries(paths).map(([name, path]) => `-D${name}="${path}"`)
  const headers = `-I${moduleFolder}node_modules/pkcs11js/includes`
  const source = join(import.meta.dirname, 'faulty-library.c')
  execFileSync('cc', ['-shared', '-fPIC', headers, ...defined, '-o', library, source, '-ldl'])
  return library
}

/** Uses the library in this process, and ends it. */
async function addSecretKey(label: string, isExtractable: boolean): Promise<void> {
  const cryptoki = loadCryptoki()
  cryptoki.load(softHsm)
  cryptoki.C_Initialize({ flags: ck.CKF_OS_LOCKING_OK })
  try {
    const slot = cryptoki
      .C_GetSlotList(true)
      .find((each) => (cryptoki.C_GetTokenInfo(each).flags & ck.CKF_TOKEN_INITIALIZED) !== 0)
    const session = cryptoki.C_OpenSession(slot!, ck.CKF_SERIAL_SESSION | ck.CKF_RW_SESSION)
    cryptoki.C_Login(session, ck.CKU_USER, pin)
    await cryptoki.C_GenerateKeyAsync(session, { mechanism: ck.CKM_AES_KEY_GEN }, [
      { type: ck.CKA_LABEL, value: label },
      { type: ck.CKA_ID, value: Buffer.from('a') },
      { type: ck.CKA_TOKEN, value: true },
      { type: ck.CKA_PRIVATE, value: true },
      { type: ck.CKA_SENSITIVE, value: !isExtractable },
      { type: ck.CKA_EXTRACTABLE, value: isExtractable },
      { type: ck.CKA_VALUE_LEN, value: 32 },
    ])
  } finally {
    cryptoki.C_Finalize()
  }
}
