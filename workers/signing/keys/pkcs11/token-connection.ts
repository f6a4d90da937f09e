import { setTimeout as sleep } from 'node:timers/promises'
import type { NotOpened, OpenedToken, TokenSettings } from './messages.ts'
import { changeOfFile, fileVersion } from './pin-file.ts'
import { startTokenChild, type TokenChild } from './token-child.ts'

/** Keeps a child process with the open token. */
export interface TokenConnection {
  /** The child process with the open token. Undefined while there is none, or if it is about to end. */
  current(): OpenChild | undefined
  close(): Promise<void>
}

export interface OpenChild extends OpenedToken {
  child: TokenChild
}

interface ConnectionEvents {
  opened(token: OpenedToken): void
  /** The token could not be opened, or its process has ended. */
  failed(failure: NotOpened): void
}

const firstPauseMs = 100
const maxPauseMs = 2_000

/** Opens the token, and opens it again each time that its process ends. A wrong PIN is not tried again until its file changes. */
export function connectToken(token: TokenSettings, events: ConnectionEvents): TokenConnection {
  const closing = new AbortController()
  let current: OpenChild | undefined
  let child: TokenChild | undefined

  /** Resolves when the process has ended. Returns undefined if it had opened the token. */
  async function openOnce(): Promise<NotOpened | undefined> {
    child = startTokenChild(token)
    const result = await child.opened
    if ('opened' in result) {
      current = { child, ...result.opened }
      events.opened(result.opened)
    }
    const reason = await child.ended
    current = undefined
    if (!closing.signal.aborted) events.failed('opened' in result ? { reason, isWrongPin: false } : result.notOpened)
    return 'opened' in result ? undefined : result.notOpened
  }

  async function run(): Promise<void> {
    for (let pauseMs = firstPauseMs; !closing.signal.aborted; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
      const version = fileVersion(token.pinFile)
      const failure = await openOnce()
      if (!failure) pauseMs = firstPauseMs
      if (closing.signal.aborted) return
      if (failure?.isWrongPin) await changeOfFile(token.pinFile, version, closing.signal)
      else await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => {})
    }
  }

  const running = run()
  return {
    current: () => (current?.child.isLost() ? undefined : current),
    async close() {
      closing.abort()
      child?.close()
      await running
    },
  }
}
