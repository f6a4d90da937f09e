import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { Dicer } from '@fastify/busboy'
import { Problem } from '../../../shared/errors.ts'
import { maxHeaderBytes, maxHeaders, type PartHead, partHeadOf, wrongPart } from './part-head.ts'

export interface Part extends PartHead {
  /** Fails with the problem of the body; to be read to its end before the next part comes. */
  content: AsyncIterable<Buffer>
}

/** The parts of a form in their order. Destroying it ends the reading of the body. */
export interface Parts {
  next(): Promise<Part | undefined>
  /** With a problem: it is what reading the parts fails with. */
  destroy(problem?: Problem): void
}

const maxParts = 100

/** Of a body of at most so many bytes, `tooLarge` beyond. Reading fails with 400 where the body is none of parts. */
export function partsOf(
  request: IncomingMessage,
  boundary: string,
  { limitBytes, tooLarge }: { limitBytes: number; tooLarge: () => Problem },
): Parts {
  const limits = { maxHeaderPairs: maxHeaders, maxHeaderSize: 2 * maxHeaderBytes }
  const parser = new Dicer({ boundary, ...limits })
  const open: Readable[] = []
  let [begun, headed, receivedBytes] = [0, 0, 0]

  const queue = new Readable({
    objectMode: true,
    read() {},
    destroy(error, done) {
      request.unpipe(parser).off('data', count).off('close', closed)
      for (const part of open) part.destroy(error ?? undefined)
      done(error)
    },
  })
  // Who reads the parts meets it.
  queue.on('error', () => {})

  function count(chunk: Buffer): void {
    receivedBytes += chunk.length
    if (receivedBytes > limitBytes) queue.destroy(tooLarge())
  }
  function closed(): void {
    if (!request.complete) queue.destroy(new Problem('malformed_body', { message: 'The body did not arrive whole' }))
  }
  function checkLast(): void {
    if (headed < begun) queue.destroy(wrongPart(`Part ${begun} ends before its headers do`))
  }
  parser.on('part', (stream) => {
    checkLast()
    const number = ++begun
    if (number > maxParts) queue.destroy(wrongPart(`There are more than ${maxParts} parts`))
    open.push(stream)
    stream.on('error', () => {})
    stream.on('header', (headers: object) => {
      headed = number
      try {
        // Boundary: this is what the parser gives, which its types do not say.
        const head = partHeadOf(headers as Record<string, string[]>, number)
        queue.push({ ...head, content: contentOf(stream, queue) } satisfies Part)
      } catch (error) {
        queue.destroy(error instanceof Error ? error : undefined)
      }
    })
  })
  parser.on('error', () => {
    queue.destroy(new Problem('malformed_body', { message: 'The body ends before its last part does' }))
  })
  parser.on('finish', () => {
    checkLast()
    queue.push(null)
  })

  const each: AsyncIterator<Part> = queue[Symbol.asyncIterator]()
  request.on('data', count).on('close', closed).pipe(parser)
  return {
    next: async () => {
      const { done, value } = await each.next()
      return done ? undefined : value
    },
    destroy: (problem) => void queue.destroy(problem),
  }
}

/** The parser's own errors say less than what ended the reading. */
async function* contentOf(part: Readable, queue: Readable): AsyncIterable<Buffer> {
  try {
    yield* part
  } catch (error) {
    throw queue.errored ?? error
  }
}
