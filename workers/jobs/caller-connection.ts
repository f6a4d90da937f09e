import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { findProblem, toWireProblem } from '../../shared/errors/errors.ts'
import type { AnswerRequest, ReceivedRequest } from '../../shared/jobs/local-channel.ts'
import { isJobName } from '../../shared/jobs/registry.ts'
import { createFrames, maxFrameBytes, maxSocketMessageBytes } from '../../shared/jobs/sockets/frames.ts'
import {
  type AnswerMessage,
  endMessage,
  type RequestMessage,
  readRequestMessage,
  readyMessage,
} from '../../shared/jobs/sockets/messages.ts'
import {
  handshakeFrameBytes,
  handshakeMs,
  nonceBytes,
  openSignerSessions,
  type Session,
} from '../../shared/jobs/sockets/session-keys.ts'
import type { Macs } from '../../shared/secrets/secrets.ts'

/** The connection of a process that sends direct requests. */
export interface CallerConnection {
  announceEnd(): void
  /** Closes the connection after the answers that were written. */
  end(): void
}

interface CallerOptions {
  secrets: Macs
  answer: AnswerRequest
  /** Receives the error for which the connection was closed. */
  refuse(error: Error): void
}

/** Maximum requests of a connection without an answer. A process sends less: `maxJobs` of each signing queue. */
const maxUnanswered = 64

/**
 * Answers the requests of a connection. The other side must prove the service secret with its first sealed frame. The connection is closed at
 * anything else that it sends.
 */
export function serveCaller(socket: Socket, { secrets, answer, refuse }: CallerOptions): CallerConnection {
  const ownNonce = randomBytes(nonceBytes)
  let callerNonce: Buffer | undefined
  let session: Session | undefined
  const lateError = new Error('The process did not prove the service secret in time.')
  const timer = setTimeout(() => socket.destroy(lateError), handshakeMs)
  const requests = createRequests(answer, write)

  const frames = createFrames(socket, handshakeFrameBytes, (frame) => {
    if (session) requests.receive(readRequestMessage(session.open(frame)))
    else if (callerNonce) begin(frame, callerNonce)
    else if (frame.length !== nonceBytes) throw new Error('The random value of the process is incomplete.')
    else callerNonce = frame
  })

  function begin(proof: Buffer, nonce: Buffer): void {
    session = openSignerSessions(secrets, Buffer.concat([ownNonce, nonce])).find((each) => isReady(each, proof))
    if (!session) throw new Error('The process has another service secret.')
    clearTimeout(timer)
    frames.limit(maxFrameBytes)
    write(readyMessage)
  }

  function write(text: string): void {
    if (session && socket.writable) frames.write(session.seal(text))
  }

  socket.on('error', (error) => {
    // The process can be killed at any time. Its connection then has an error of a system call.
    if (!('syscall' in error)) refuse(error)
  })
  socket.once('close', () => {
    clearTimeout(timer)
    requests.withdrawAll()
  })
  frames.write(ownNonce)
  return { announceEnd: () => write(endMessage), end: () => void socket.end() }
}

interface Requests {
  /** Throws if the process sent a request that it may not send. */
  receive(message: RequestMessage): void
  /** The connection is closed: the callers have queued jobs. */
  withdrawAll(): void
}

function createRequests(answer: AnswerRequest, write: (text: string) => void): Requests {
  const unanswered = new Map<string, ReceivedRequest>()

  function withdraw(id: string): void {
    const request = unanswered.get(id)
    if (request) request.isWithdrawn = true
    send({ isAlive: true })
  }

  function accept({ id, name, payload }: Extract<RequestMessage, { id: string }>): void {
    if (unanswered.size >= maxUnanswered || unanswered.has(id)) throw new Error('The process sent too many requests.')
    if (!isJobName(name)) {
      // A job takes over: another version has its handler.
      send({ id, isFailed: true })
      return
    }
    const request = { id, name, payload, isWithdrawn: false }
    unanswered.set(id, request)
    const messages = answer(request).then(
      (result): AnswerMessage => (result === undefined ? { id, isWithdrawn: true } : { id, result }),
      (error): AnswerMessage => failureOf(id, error),
    )
    void messages.then((message) => {
      unanswered.delete(id)
      send(message)
    })
  }

  function send(message: AnswerMessage): void {
    const text = JSON.stringify(message)
    const isTooLarge = 'id' in message && Buffer.byteLength(text) > maxSocketMessageBytes
    write(isTooLarge ? JSON.stringify({ id: message.id, isFailed: true } satisfies AnswerMessage) : text)
  }

  return {
    receive(message) {
      if ('withdraw' in message) withdraw(message.withdraw)
      else accept(message)
    },
    withdrawAll() {
      for (const request of unanswered.values()) request.isWithdrawn = true
    },
  }
}

/** Returns whether the proof was sealed with the service secret of the session. */
function isReady(session: Session, proof: Buffer): boolean {
  try {
    return session.open(proof) === readyMessage
  } catch {
    return false
  }
}

function failureOf(id: string, error: unknown): AnswerMessage {
  const problem = findProblem(error)
  return { id, isFailed: true, ...(problem && { problem: toWireProblem(problem) }) }
}
