import { type ChildProcess, fork } from 'node:child_process'
import { settings } from '../../../../shared/settings/settings.ts'
import type {
  ChildMessage,
  NotOpened,
  OpenedToken,
  ParentMessage,
  RequestToToken,
  TokenAnswer,
  TokenSettings,
} from './messages.ts'
import { sendInBatches } from './send-in-batches.ts'

/** A child process that has opened the token, or tries to. */
export interface TokenChild {
  /** Resolves once. A child process that does not open the token in time is killed. */
  opened: Promise<{ opened: OpenedToken } | { notOpened: NotOpened }>
  /** Resolves with `lost` if the child process ends or does not answer in time. It is killed then. */
  call(request: RequestToToken, withinMs: number): Promise<TokenAnswer>
  /** Whether a call was lost. The process has ended or is about to end. */
  isLost(): boolean
  /** Resolves when the process has ended, with the reason. */
  ended: Promise<string>
  /** Ends the process, which gives its sessions back to the token. Kills it if it does not end in time. */
  close(): void
}

const openWithinMs = 15_000
const closeWithinMs = 1_000

/** Starts the process that loads the PKCS#11 library (token-process.ts). */
export function startTokenChild(token: TokenSettings): TokenChild {
  const child = fork(new URL('token-process.ts', import.meta.url), {
    execArgv: [],
    env: environmentOfLibrary(process.env),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const waiting = new Map<number, (answer: TokenAnswer) => void>()
  const killOnExit = () => child.kill('SIGKILL')
  process.once('exit', killOnExit)
  const ended = endOf(child).then((reason) => {
    process.off('exit', killOnExit)
    for (const resolve of waiting.values()) resolve({ lost: reason })
    waiting.clear()
    return reason
  })
  // An error is reported by the end of the process, too.
  const send = sendInBatches((requests: ParentMessage['requests']) => child.send({ requests }, () => {}))
  let lastId = 0
  let isLost = false

  function call(request: RequestToToken, withinMs: number): Promise<TokenAnswer> {
    const id = ++lastId
    const { promise, resolve } = Promise.withResolvers<TokenAnswer>()
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      resolve({ lost: `the library did not answer in ${withinMs} ms` })
    }, withinMs)
    waiting.set(id, resolve)
    if (child.connected) send({ id, request })
    else resolve({ lost: 'the process of the library has ended' })
    return promise.then((answer) => {
      clearTimeout(timer)
      waiting.delete(id)
      if ('lost' in answer) isLost = true
      return answer
    })
  }

  function close(): void {
    if (child.connected) child.disconnect()
    const timer = setTimeout(() => child.kill('SIGKILL'), closeWithinMs)
    void ended.then(() => clearTimeout(timer))
  }

  const opened = openingOf(child, ended)
  child.on('message', (message: ChildMessage) => {
    if ('answers' in message) for (const { id, answer } of message.answers) waiting.get(id)?.(answer)
  })
  child.send(token, () => {})
  return { opened, call, isLost: () => isLost, ended, close }
}

function openingOf(child: ChildProcess, ended: Promise<string>): TokenChild['opened'] {
  const { promise, resolve } = Promise.withResolvers<Awaited<TokenChild['opened']>>()
  const fail = (reason: string) => resolve({ notOpened: { reason, isWrongPin: false } })
  const timer = setTimeout(() => {
    child.kill('SIGKILL')
    fail(`The token was not opened in ${openWithinMs} ms.`)
  }, openWithinMs)
  child.on('message', (message: ChildMessage) => {
    if ('opened' in message || 'notOpened' in message) resolve(message)
  })
  void ended.then((reason) => fail(`The process of the PKCS#11 library ended while it opened the token: ${reason}.`))
  return promise.finally(() => clearTimeout(timer))
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`it could not be started (${error.message})`))
    child.once('exit', (code, signal) =>
      resolve(signal ? `it was ended by ${signal}` : `it ended with exit code ${code}`),
    )
  })
}

/** The library gets the variables of its vendor, and none of the secrets of the service. Its calls get a thread each. */
function environmentOfLibrary(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isOfService = (name: string) => name.replace(/_FILE$/, '') in settings || name.startsWith('NODE_')
  const others = Object.entries(env).filter(([name]) => !isOfService(name))
  return { ...Object.fromEntries(others), UV_THREADPOOL_SIZE: '8' }
}
