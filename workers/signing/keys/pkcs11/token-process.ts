import { ck, type Handle, resultName } from './cryptoki.ts'
import type { ChildMessage, ParentMessage, RequestToToken, TokenAnswer, TokenSettings, TokenValue } from './messages.ts'
import {
  checkSecretKey,
  destroyKeyPair,
  findKeyPair,
  generateKeyPair,
  getKey,
  importKeyPair,
  listPrivateKeys,
  makeSecretKey,
  TokenRequestError,
  type TokenSession,
} from './token-objects.ts'
import { openSessions, TokenClosed, type TokenSessions } from './token-session.ts'
import type { KeyKind, KeyNameInToken } from './token-uri.ts'

/**
 * The child process of a signing process that loads the PKCS#11 library. A library that crashes or hangs ends only this process. It ends
 * itself when it loses the token. The signing process then starts the next one, which opens the token as new.
 */

const maxSignatureBytes = 256
const tagBytes = 16
/** The handles of private keys by their names. A handle is valid in all sessions of the process. */
const handles = new Map<string, Handle>()
const maxHandles = 10_000
/** The inputs that threads of the library read. pkcs11js has no reference to them, so that they could be freed. */
const buffersInUse = new Set<Buffer>()

// The signing process ends this one, after the requests that it still waits for.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', end)
process.once('message', (settings: TokenSettings) => {
  try {
    const token = openSessions(settings)
    answerRequests(token)
    send({ opened: token.opened })
  } catch (error) {
    const isExpected = error instanceof TokenClosed
    const reason = isExpected
      ? error.message
      : `The token could not be opened (${resultName(error) ?? 'unknown error'}).`
    send({ notOpened: { reason, isWrongPin: isExpected && error.isWrongPin } }, end)
  }
})

/** Ends the process at once. `process.exit` would wait for a thread that hangs in the library. */
function end(): void {
  process.kill(process.pid, 'SIGKILL')
}

function send(message: ChildMessage, sent?: () => void): void {
  process.send?.(message, undefined, undefined, sent)
}

/** The parent sends at most as many requests as there are sessions. */
function answerRequests({ cryptoki, sessions }: TokenSessions): void {
  const idle = [...sessions]
  // The token has few sessions. This process gives its own back, unless a call still runs, which can hang.
  process.prependListener('disconnect', () => {
    if (idle.length === sessions.length) cryptoki.C_Finalize()
  })
  const answerTogether = createAnswers(Math.ceil(sessions.length / 2))
  let running = 0
  const answer = async ({ id, request }: ParentMessage['requests'][number]) => {
    running++
    const session = idle.pop()
    const answer = session ? await answerOf({ cryptoki, session }, request) : { lost: 'no session is idle' }
    if (session) idle.push(session)
    running--
    answerTogether({ id, answer }, running === 0)
  }
  process.on('message', ({ requests }: ParentMessage) => {
    for (const each of requests) void answer(each)
  })
}

/** The time for which an answer waits for others. */
const maxAnswerWaitMs = 1

/** Returns a function that collects answers and sends `most` of them at once, or fewer after `maxAnswerWaitMs` or the last one. */
function createAnswers(most: number): (answer: NumberedAnswer, isLast: boolean) => void {
  let answers: NumberedAnswer[] = []
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const isLost = answers.some(({ answer }) => 'lost' in answer)
    send({ answers }, isLost ? end : undefined)
    answers = []
  }
  return (answer, isLast) => {
    answers.push(answer)
    if (isLast || answers.length >= most || 'lost' in answer.answer) flush()
    else timer ??= setTimeout(flush, maxAnswerWaitMs)
  }
}

type NumberedAnswer = Extract<ChildMessage, { answers: unknown }>['answers'][number]

async function answerOf(session: TokenSession, request: RequestToToken): Promise<TokenAnswer> {
  try {
    return { value: await run(session, request) }
  } catch (error) {
    if (error instanceof TokenRequestError)
      return isAnswering(session) ? { refused: error.message } : { lost: notLoggedIn }
    const result = resultName(error)
    if (!result) return { lost: 'unknown error' }
    const isUnclear = request.op === 'decrypt' || request.op === 'import'
    const isRefusal = refusals.test(result) || (isUnclear && isAnswering(session))
    return isRefusal ? { refused: refusalOf(result, request) } : { lost: result }
  }
}

/** A session that has lost its login finds no private keys. These requests would take them for destroyed. */
const searches = new Set<RequestToToken['op']>([
  'list',
  'find',
  'destroy',
  'generate',
  'import',
  'makeSecret',
  'checkSecret',
])

async function run(session: TokenSession, request: RequestToToken): Promise<TokenValue> {
  if (searches.has(request.op)) check(session)
  switch (request.op) {
    case 'check':
      return check(session)
    case 'list':
      return listPrivateKeys(session, request)
    case 'find':
      return findKeyPair(session, request.key)
    case 'destroy':
      handles.delete(nameOf(request.key, 'private'))
      destroyKeyPair(session, request.key)
      return undefined
    case 'generate':
      return generateKeyPair(session, request)
    case 'import':
      return importKeyPair(session, request)
    case 'sign':
      return withKey(session, 'private', request.key, (key) => sign(session, key, request))
    case 'derive':
      return withKey(session, 'private', request.key, async (key) => derive(session, key, request.peerPoint))
    case 'makeSecret':
      await makeSecretKey(session, request.key)
      return undefined
    case 'checkSecret':
      checkSecretKey(session, request.key)
      return undefined
    case 'encrypt':
    case 'decrypt':
      return withKey(session, 'secret-key', request.key, (key) => crypt(session, key, request))
  }
}

const notLoggedIn = 'CKR_USER_NOT_LOGGED_IN'

/** Throws if the session has lost its login. */
function check({ cryptoki, session }: TokenSession): undefined {
  if (cryptoki.C_GetSessionInfo(session).state !== ck.CKS_RW_USER_FUNCTIONS) throw new Error(notLoggedIn)
}

/**
 * SoftHSM2 reports a wrong tag as a general error, and pkcs11js a forbidden import as one of the vendor. The token is not lost if the session
 * still answers.
 */
function isAnswering(session: TokenSession): boolean {
  try {
    check(session)
    return true
  } catch {
    return false
  }
}

/** Calls `use` with the handle of a key. If the handle is not valid any more, searches the key again. */
async function withKey(
  session: TokenSession,
  kind: KeyKind,
  name: KeyNameInToken,
  use: (key: Handle) => Promise<Buffer>,
): Promise<Buffer> {
  const cached = handles.get(nameOf(name, kind))
  try {
    if (cached) return await use(cached)
  } catch (error) {
    if (!/^CKR_(KEY|OBJECT)_HANDLE_INVALID$/.test(resultName(error) ?? '')) throw error
  }
  const key = getKey(session, kind, name)
  if (handles.size >= maxHandles) handles.clear()
  handles.set(nameOf(name, kind), key)
  return use(key)
}

function nameOf({ id, label }: KeyNameInToken, kind: KeyKind): string {
  return `${kind} ${Buffer.from(id).toString('hex')} ${label}`
}

async function sign(
  { cryptoki, session }: TokenSession,
  key: Handle,
  { algorithm, input }: RequestToToken & { op: 'sign' },
): Promise<Buffer> {
  cryptoki.C_SignInit(session, { mechanism: algorithm === 'ES256' ? ck.CKM_ECDSA : ck.CKM_EDDSA }, key)
  return runOnThread(Buffer.from(input), maxSignatureBytes, (bytes, output) =>
    cryptoki.C_SignAsync(session, bytes, output),
  )
}

/** AES-GCM. The tag is at the end of the encrypted bytes. */
async function crypt(
  { cryptoki, session }: TokenSession,
  key: Handle,
  { op, nonce, associated, input }: RequestToToken & { op: 'encrypt' | 'decrypt' },
): Promise<Buffer> {
  const sizes = { ivBits: nonce.length * 8, tagBits: tagBytes * 8 }
  const parameter = { type: ck.paramsOfGcm, iv: Buffer.from(nonce), aad: Buffer.from(associated), ...sizes }
  const mechanism = { mechanism: ck.CKM_AES_GCM, parameter }
  if (op === 'encrypt') cryptoki.C_EncryptInit(session, mechanism, key)
  else cryptoki.C_DecryptInit(session, mechanism, key)
  return runOnThread(Buffer.from(input), input.length + tagBytes, (bytes, output) =>
    op === 'encrypt'
      ? cryptoki.C_EncryptAsync(session, bytes, output)
      : cryptoki.C_DecryptAsync(session, bytes, output),
  )
}

/** Calls a function whose thread reads `bytes` and writes to a new buffer. Returns the written part. */
async function runOnThread(
  bytes: Buffer,
  maxBytes: number,
  call: (bytes: Buffer, output: Buffer) => Promise<Buffer>,
): Promise<Buffer> {
  buffersInUse.add(bytes)
  try {
    return await call(bytes, Buffer.alloc(maxBytes))
  } finally {
    buffersInUse.delete(bytes)
  }
}

/** ECDH with P-256. Returns the x coordinate of the shared point. The asynchronous call of pkcs11js would leak memory. */
function derive({ cryptoki, session }: TokenSession, key: Handle, peerPoint: Buffer): Buffer {
  const parameter = { type: ck.paramsOfEcdh, kdf: ck.CKD_NULL, publicData: Buffer.from(peerPoint) }
  const secret = cryptoki.C_DeriveKey(session, { mechanism: ck.CKM_ECDH1_DERIVE, parameter }, key, [
    { type: ck.CKA_CLASS, value: ck.CKO_SECRET_KEY },
    { type: ck.CKA_KEY_TYPE, value: ck.CKK_GENERIC_SECRET },
    { type: ck.CKA_TOKEN, value: false },
    { type: ck.CKA_SENSITIVE, value: false },
    { type: ck.CKA_EXTRACTABLE, value: true },
    { type: ck.CKA_VALUE_LEN, value: 32 },
  ])
  try {
    const [attribute] = cryptoki.C_GetAttributeValue(session, secret, [{ type: ck.CKA_VALUE }])
    if (attribute?.value.length !== 32)
      throw new TokenRequestError('The token returned a shared secret of another length.')
    return attribute.value
  } finally {
    cryptoki.C_DestroyObject(session, secret)
  }
}

/** Results that depend on the request. After any other one, the token is opened again. */
const refusals =
  /^CKR_(MECHANISM|FUNCTION_NOT_SUPPORTED|DEVICE_MEMORY|TEMPLATE|ATTRIBUTE|KEY_|CURVE|ENCRYPTED_DATA_|DOMAIN_PARAMS|ARGUMENTS_BAD|DATA_|ACTION_PROHIBITED|TOKEN_WRITE_PROTECTED|SESSION_READ_ONLY)/

const operationNames: Record<RequestToToken['op'], string> = {
  check: 'the check',
  list: 'the list of its keys',
  find: 'the search of a key',
  destroy: 'to destroy a key',
  generate: 'to generate a key',
  import: 'to import a key',
  sign: 'to sign',
  derive: 'a key agreement',
  makeSecret: 'to generate a secret key',
  checkSecret: 'the search of a secret key',
  encrypt: 'to encrypt',
  decrypt: 'to decrypt',
}

function refusalOf(result: string, { op }: RequestToToken): string {
  if (result === 'CKR_DEVICE_MEMORY')
    return 'The token is full. Destroy keys that are no longer used, or use a larger token.'
  if (/^CKR_(MECHANISM_INVALID|FUNCTION_NOT_SUPPORTED)$/.test(result))
    return `The token does not support a mechanism (${result}) that it needs ${operationNames[op]}.`
  return `The token refused ${operationNames[op]} (${result}).`
}
