import { z } from 'zod'
import { isProblemName, type WireProblem } from '../../errors/errors.ts'

/** The messages of a connection between a process and a signing process, as JSON in sealed frames. */

/** The first message of each side. It proves that the side has the service secret. */
export const readyMessage = 'ready'
/** The last message of a signing process that ends. It still answers the requests that it has. */
export const endMessage = 'end'

const RequestMessage = z.compile(
  z.union([
    z.object({ id: z.string(), name: z.string(), payload: z.string() }),
    /** The caller does not wait any more, or a job takes over. */
    z.object({ withdraw: z.string() }),
  ]),
)
export type RequestMessage = z.infer<typeof RequestMessage>

/** Throws if the text is no message of a process. */
export const readRequestMessage = (text: string): RequestMessage => RequestMessage.parse(JSON.parse(text))

const AnswerMessage = z.compile(
  z.union([
    z.object({ id: z.string(), result: z.string() }),
    z.object({ id: z.string(), isWithdrawn: z.literal(true) }),
    /** A job must take over. `problem` is that of the handler, if it threw one. */
    z.object({
      id: z.string(),
      isFailed: z.literal(true),
      problem: z.looseObject({ problem: z.string().refine(isProblemName) }).optional(),
    }),
    /** The signing process lives. It answers each withdrawal at once. */
    z.object({ isAlive: z.literal(true) }),
  ]),
)
export type AnswerMessage =
  | { id: string; result: string }
  | { id: string; isWithdrawn: true }
  | { id: string; isFailed: true; problem?: WireProblem }
  | { isAlive: true }

/** Throws if the text is no message of a signing process. */
export function readAnswerMessage(text: string): AnswerMessage {
  // Boundary: signing processes write the result of `toWireProblem`.
  return AnswerMessage.parse(JSON.parse(text)) as AnswerMessage
}
