import type { IncomingMessage } from 'node:http'
import { Problem } from '../../shared/errors/errors.ts'

type Refuse = (problem: Problem) => void

/** Requests whose body may arrive slowly, and what ends their upload with a problem. */
const slow = new WeakMap<IncomingMessage, Refuse>()

/** Lets the body of an upload take hours. Call it after authentication. An upload that is too slow ends with 408. */
export function allowSlowBody(request: IncomingMessage, refuse: Refuse): void {
  slow.set(request, refuse)
}

export interface BodyLimits {
  /** The time in which a body must arrive. An upload can take longer. */
  limitMs: number
  checkEveryMs: number
  /** An upload sends so many bytes in each `limitMs`. */
  minUploadBytes: number
  maxUploadMs: number
}

/** 8 KiB per second are also the minimum for readers of large answers. */
const defaultLimits: BodyLimits = {
  limitMs: 30_000,
  checkEveryMs: 1_000,
  minUploadBytes: 30 * 8 * 1_024,
  maxUploadMs: 6 * 3_600_000,
}

interface Watched {
  startedAt: number
  /** When `bytes` were reached. */
  since: number
  bytes: number
}

/**
 * Returns a function that closes the connection of a request whose body has not arrived within the limit. The body of an upload can take
 * longer. An upload that sends too little, or takes too long, ends with 408, so that its slot becomes free.
 */
export function createBodyWatch({
  limitMs,
  checkEveryMs,
  minUploadBytes,
  maxUploadMs,
}: BodyLimits = defaultLimits): (request: IncomingMessage) => void {
  const watched = new Map<IncomingMessage, Watched>()

  function look(request: IncomingMessage, state: Watched, now: number): void {
    const refuse = slow.get(request)
    const { bytesRead } = request.socket
    if (refuse && bytesRead - state.bytes >= minUploadBytes) Object.assign(state, { since: now, bytes: bytesRead })
    const isLate = now - state.since > limitMs || (refuse && now - state.startedAt > maxUploadMs)
    if (request.complete || isLate) watched.delete(request)
    if (request.complete || !isLate) return
    if (refuse) refuse(new Problem('request_timeout'))
    else request.socket.destroy()
  }

  const check = () => {
    const now = performance.now()
    for (const [request, state] of watched) look(request, state, now)
  }
  setInterval(check, checkEveryMs).unref()
  return (request) => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
    if (length === '0' && encoding === undefined) return
    const now = performance.now()
    watched.set(request, { startedAt: now, since: now, bytes: request.socket.bytesRead })
    request.once('close', () => watched.delete(request))
  }
}
