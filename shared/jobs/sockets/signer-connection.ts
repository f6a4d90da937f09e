import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { fromWireProblem } from '../../errors/errors.ts'
import type { Macs } from '../../secrets/secrets.ts'
import type { DirectAnswer, DirectRequest } from '../direct-requests.ts'
import { createFrames, maxFrameBytes, maxSocketMessageBytes } from './frames.ts'
import { type AnswerMessage, endMessage, readAnswerMessage, readyMessage } from './messages.ts'
import { handshakeFrameBytes, handshakeMs, nonceBytes, openCallerSession, type Session } from './session-keys.ts'

/** A connection to a signing process. */
export interface SignerConnection {
  /** Returns whether the process has proved the service secret, is not ending, and answered after the last withdrawal. */
  isUsable(): boolean
  /** Returns the number of requests without an answer. */
  pending(): number
  send(request: DirectRequest): Promise<DirectAnswer | undefined>
  withdraw(id: string): void
  close(): void
}

/** Connects to the socket. Calls `onClose` once, also if nothing listens. */
export function connectToSigner(path: string, secrets: Macs, onClose: () => void): SignerConnection {
  const socket = connect(path).unref()
  const unanswered = createUnanswered()
  let session: Session | undefined
  let [isReady, isEnding, isSilent] = [false, false, false]
  const timer = setTimeout(() => socket.destroy(), handshakeMs).unref()

  const frames = createFrames(socket, handshakeFrameBytes, (frame) => {
    if (session) receive(session.open(frame))
    else begin(frame)
  })

  function begin(signerNonce: Buffer): void {
    if (signerNonce.length !== nonceBytes) throw new Error('The random value of the signing process is incomplete.')
    const ownNonce = randomBytes(nonceBytes)
    session = openCallerSession(secrets, Buffer.concat([signerNonce, ownNonce]))
    frames.write(ownNonce)
    write(readyMessage)
  }

  function receive(text: string): void {
    isSilent = false
    if (isReady && text === endMessage) isEnding = true
    else if (isReady) unanswered.settle(readAnswerMessage(text))
    else if (text !== readyMessage) throw new Error('The signing process is not ready.')
    isReady = true
    clearTimeout(timer)
    frames.limit(maxFrameBytes)
  }

  function write(text: string): void {
    if (session && socket.writable) frames.write(session.seal(text))
  }

  socket.on('error', () => undefined) // `close` follows
  socket.once('close', () => {
    clearTimeout(timer)
    isReady = false
    unanswered.rejectAll()
    onClose()
  })
  return {
    isUsable: () => isReady && !isEnding && !isSilent,
    pending: unanswered.size,
    async send(request) {
      if (!isReady) throw new Error('The connection is closed.')
      const text = textOf(request)
      const answer = unanswered.add(request.id)
      write(text)
      return answer
    },
    withdraw(id) {
      if (!unanswered.has(id)) return
      isSilent = true
      write(JSON.stringify({ withdraw: id }))
    },
    close: () => void socket.destroy(),
  }
}

/** Throws if the request is too large for a frame. */
function textOf({ id, name, payload }: DirectRequest): string {
  const text = JSON.stringify({ id, name, payload: JSON.stringify(payload) })
  if (Buffer.byteLength(text) > maxSocketMessageBytes) throw new Error('The request is too large.')
  return text
}

interface Unanswered {
  size(): number
  has(id: string): boolean
  /** Resolves and rejects as `DirectChannel.send`. */
  add(id: string): Promise<DirectAnswer | undefined>
  settle(message: AnswerMessage): void
  /** The connection is closed. */
  rejectAll(): void
}

/** The requests without an answer. */
function createUnanswered(): Unanswered {
  const all = new Map<string, PromiseWithResolvers<DirectAnswer | undefined>>()
  return {
    size: () => all.size,
    has: (id) => all.has(id),
    add(id) {
      const request = Promise.withResolvers<DirectAnswer | undefined>()
      all.set(id, request)
      return request.promise
    },
    settle(message) {
      if ('isAlive' in message) return
      const request = all.get(message.id)
      all.delete(message.id)
      if ('result' in message) request?.resolve({ result: JSON.parse(message.result) })
      else if ('isWithdrawn' in message) request?.resolve(undefined)
      else
        request?.reject(message.problem ? fromWireProblem(message.problem) : new Error('The signing process failed.'))
    },
    rejectAll() {
      for (const { reject } of all.values()) reject(new Error('The connection to the signing process was closed.'))
      all.clear()
    },
  }
}
