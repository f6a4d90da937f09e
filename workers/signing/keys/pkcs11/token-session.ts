import { readFileSync } from 'node:fs'
import { type Cryptoki, ck, type Handle, loadCryptoki, resultName, type TokenInfo } from './cryptoki.ts'
import type { OpenedToken, TokenAlgorithm, TokenSettings } from './messages.ts'
import { parseTokenUri, type TokenUri } from './token-uri.ts'

/** The token cannot be opened. The message is for the operator, and has no PIN. */
export class TokenClosed extends Error {
  readonly isWrongPin: boolean

  constructor(reason: string, { isWrongPin = false } = {}) {
    super(reason)
    this.isWrongPin = isWrongPin
  }
}

export interface TokenSessions {
  cryptoki: Cryptoki
  /** Logged in. Each is used by one request at a time. */
  sessions: Handle[]
  opened: OpenedToken
}

const maxSessions = 8
const maxPinBytes = 1024
/** CK_UNAVAILABLE_INFORMATION in 32 and 64 bits, and CK_EFFECTIVELY_INFINITE, which is 0. */
const unlimited = (count: number) => count === 0 || count >= 0xffff_ffff

/** Loads the library, finds the token, logs in once and opens the sessions. Throws TokenClosed. */
export function openSessions({ module, uri, pinFile }: TokenSettings): TokenSessions {
  const cryptoki = loadLibrary(module)
  const { slot, info } = findSlot(cryptoki, uri)
  const algorithms = algorithmsOf(cryptoki.C_GetMechanismList(slot))
  const sessions = [openSession(cryptoki, slot)]
  logIn(cryptoki, sessions[0] as Handle, info, pinFile)
  const most = Math.min(...[maxSessions, info.maxSessionCount, info.maxRwSessionCount].filter((max) => !unlimited(max)))
  while (sessions.length < most) {
    const session = tryOpenSession(cryptoki, slot)
    if (!session) break
    sessions.push(session)
  }
  return { cryptoki, sessions, opened: { label: trimmed(info.label), algorithms, sessions: sessions.length } }
}

function loadLibrary(module: string): Cryptoki {
  const cryptoki = loadCryptoki()
  try {
    cryptoki.load(module)
  } catch {
    throw new TokenClosed(`PKCS11_MODULE is ${module}, which is not a PKCS#11 library that can be loaded.`)
  }
  try {
    cryptoki.C_Initialize({ flags: ck.CKF_OS_LOCKING_OK })
  } catch (error) {
    throw new TokenClosed(`The PKCS#11 library ${module} could not be initialized (${resultText(error)}).`)
  }
  return cryptoki
}

function findSlot(cryptoki: Cryptoki, text: string): { slot: Handle; info: TokenInfo } {
  const uri = parseTokenUri(text)
  const tokens = cryptoki.C_GetSlotList(true).flatMap((slot) => {
    const info = tokenInfo(cryptoki, slot)
    return info && isOf(info, uri) ? [{ slot, info }] : []
  })
  const [token, ...others] = tokens
  if (!token) throw new TokenClosed(`PKCS11_TOKEN is ${text}, but the library shows no such token.`)
  if (others.length > 0)
    throw new TokenClosed(`PKCS11_TOKEN is ${text}, which names ${tokens.length} tokens. Add \`serial\`.`)
  return token
}

/** Returns undefined for a slot whose token was removed meanwhile. */
function tokenInfo(cryptoki: Cryptoki, slot: Handle): TokenInfo | undefined {
  try {
    const info = cryptoki.C_GetTokenInfo(slot)
    return info.flags & ck.CKF_TOKEN_INITIALIZED ? info : undefined
  } catch {
    return undefined
  }
}

function isOf(info: TokenInfo, { token, serial, manufacturer, model }: TokenUri): boolean {
  const pairs = [
    [token, info.label],
    [serial, info.serialNumber],
    [manufacturer, info.manufacturerID],
    [model, info.model],
  ] as const
  return pairs.every(([named, value]) => named === undefined || named === trimmed(value))
}

/** The library pads names with spaces. */
function trimmed(text: string): string {
  return text.replace(/[ \0]+$/, '')
}

function openSession(cryptoki: Cryptoki, slot: Handle): Handle {
  try {
    return cryptoki.C_OpenSession(slot, ck.CKF_SERIAL_SESSION | ck.CKF_RW_SESSION)
  } catch (error) {
    throw new TokenClosed(`The token opens no session (${resultText(error)}).`)
  }
}

/** Returns undefined if the token has no session left. Other processes can use the same token. */
function tryOpenSession(cryptoki: Cryptoki, slot: Handle): Handle | undefined {
  try {
    return openSession(cryptoki, slot)
  } catch {
    return undefined
  }
}

const wrongPin = new Set([
  ...['CKR_PIN_INCORRECT', 'CKR_PIN_INVALID', 'CKR_PIN_LEN_RANGE', 'CKR_PIN_EXPIRED', 'CKR_PIN_LOCKED'],
  'CKR_USER_PIN_NOT_INITIALIZED',
])

/** Logs in once. Tokens lock after a few wrong PINs, so that the last try of a token is left to the operator. */
function logIn(cryptoki: Cryptoki, session: Handle, { flags }: TokenInfo, pinFile: string): void {
  if (flags & ck.CKF_USER_PIN_LOCKED)
    throw new TokenClosed('The PIN of the token is locked. Unlock it with the tool of its vendor.', {
      isWrongPin: true,
    })
  if (flags & ck.CKF_USER_PIN_FINAL_TRY)
    throw new TokenClosed(
      'The token allows one last try of its PIN, which the service does not use. Log in with the tool of its vendor.',
      { isWrongPin: true },
    )
  try {
    cryptoki.C_Login(session, ck.CKU_USER, readPin(pinFile))
  } catch (error) {
    if (error instanceof TokenClosed) throw error
    const result = resultName(error)
    if (result === 'CKR_USER_ALREADY_LOGGED_IN') return
    if (!result || !wrongPin.has(result)) throw new TokenClosed(`The token refused the login (${resultText(error)}).`)
    throw new TokenClosed(
      `The token refused the PIN in ${pinFile} (${result}). It is not tried again until the file changes.`,
      { isWrongPin: true },
    )
  }
}

function readPin(file: string): string {
  const pin = readPinFile(file).replace(/\r?\n$/, '')
  if (pin === '' || Buffer.byteLength(pin) > maxPinBytes)
    throw new TokenClosed(`PKCS11_PIN_FILE is ${file}, which must have 1 to ${maxPinBytes} bytes.`, {
      isWrongPin: true,
    })
  return pin
}

function readPinFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : 'unknown error'
    throw new TokenClosed(`PKCS11_PIN_FILE is ${file}, which cannot be read (${reason}).`)
  }
}

const mechanisms: Record<TokenAlgorithm, readonly number[]> = {
  ES256: [ck.CKM_EC_KEY_PAIR_GEN, ck.CKM_ECDSA],
  Ed25519: [ck.CKM_EC_EDWARDS_KEY_PAIR_GEN, ck.CKM_EDDSA],
  'ECDH-ES': [ck.CKM_EC_KEY_PAIR_GEN, ck.CKM_ECDH1_DERIVE],
}

function algorithmsOf(supported: number[]): TokenAlgorithm[] {
  const names = Object.keys(mechanisms) as TokenAlgorithm[]
  return names.filter((name) => mechanisms[name].every((mechanism) => supported.includes(mechanism)))
}

function resultText(error: unknown): string {
  return resultName(error) ?? 'unknown error'
}
