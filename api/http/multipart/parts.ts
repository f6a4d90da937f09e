import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { Dicer } from '@fastify/busboy'
import { Problem } from '../../../shared/errors/errors.ts'
import { maxHeaderBytes, maxHeaders, type PartHead, partHeadOf, wrongPart } from './part-head.ts'

export interface BodyPart extends PartHead {
  /** Must be read to its end before the next part. Fails with the problem of the body. */
  content: AsyncIterable<Buffer>
}

/** The parts of a form in order. `destroy` stops reading the body. */
export interface Parts {
  next(): Promise<BodyPart | undefined>
  /** Reading the parts then fails with `problem`. */
  destroy(problem?: Problem): void
}

const maxParts = 100

/** Reads the parts of a body. Reading fails with `tooLarge` over `limitBytes`, and with 400 if the body has no valid parts. */
export function partsOf(
  request: IncomingMessage,
  boundary: string,
  { limitBytes, tooLarge }: { limitBytes: number; tooLarge: () => Problem },
): Parts {
  const limits = { maxHeaderPairs: maxHeaders, maxHeaderSize: 2 * maxHeaderBytes }
  const parser = new Dicer({ boundary, ...limits })
  const open: Readable[] = []
  let [begun, headed, receivedBytes] = [0, 0, 0]

  // The parser can end before the last part is read. Without `autoDestroy` the part stays until then.
  const queue = new Readable({
    ...{ objectMode: true, autoDestroy: false, read() {} },
    destroy(error, done) {
      request.unpipe(parser).off('data', count).off('close', closed)
      for (const part of open) part.destroy(error ?? undefined)
      done(error)
    },
  })
  // Prevents an unhandled error. The reader of the parts receives it.
  queue.on('error', () => {})

  function count(chunk: Buffer): void {
    receivedBytes += chunk.length
    if (receivedBytes > limitBytes) queue.destroy(tooLarge())
  }
  function closed(): void {
    if (!request.complete) queue.destroy(malformed('The body is incomplete'))
  }
  function checkLast(): void {
    if (headed < begun) queue.destroy(wrongPart(`Part ${begun} ends within its headers`))
  }
  parser.on('part', (stream) => {
    checkLast()
    const number = ++begun
    if (number > maxParts) queue.destroy(wrongPart(`Must not have more than ${maxParts} parts`))
    open.push(stream)
    stream.on('error', () => {})
    stream.on('header', (headers: object) => {
      headed = number
      // Boundary: the types of the parser do not declare the headers.
      addPart(queue, headers as Record<string, string[]>, number, stream)
    })
  })
  parser.on('error', () => queue.destroy(malformed('The body ends within its last part')))
  parser.on('finish', () => {
    checkLast()
    queue.push(null)
  })

  const each: AsyncIterator<BodyPart> = queue[Symbol.asyncIterator]()
  request.on('data', count).on('close', closed).pipe(parser)
  return {
    next: async () => {
      const { done, value } = await each.next()
      return done ? undefined : value
    },
    destroy: (problem) => void queue.destroy(problem),
  }
}

function malformed(message: string): Problem {
  return new Problem('malformed_body', { message })
}

/** Adds a part to the queue. Destroys the queue if the headers of the part are invalid. */
function addPart(queue: Readable, headers: Record<string, string[]>, number: number, stream: Readable): void {
  try {
    queue.push({ ...partHeadOf(headers, number), content: contentOf(stream, queue) } satisfies BodyPart)
  } catch (error) {
    queue.destroy(error instanceof Error ? error : undefined)
  }
}

/** Replaces an error of the parser with the problem that ended the reading, which says more. */
async function* contentOf(part: Readable, queue: Readable): AsyncIterable<Buffer> {
  try {
    yield* part
  } catch (error) {
    throw queue.errored ?? error
  }
}
