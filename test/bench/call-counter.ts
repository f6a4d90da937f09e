import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { promiseHooks } from 'node:v8'

/** What the main thread of a process did. */
export interface CallCounts {
  promises: number
  /** Functions that ran when a promise had settled. */
  continuations: number
  uuids: number
  /** Characters of the texts that JSON.stringify returned. */
  jsonWritten: number
  /** Characters of the texts that JSON.parse was given. */
  jsonRead: number
}

/**
 * Loaded into the processes of the service with `--import`. On the message `countCalls` it begins to count. On the next such message it
 * answers with the counts. The hooks of V8 make promises slow, so that no times can be measured in the same run.
 */
const none: CallCounts = { promises: 0, continuations: 0, uuids: 0, jsonWritten: 0, jsonRead: 0 }
let counts: CallCounts | undefined
let stop: (() => void) | undefined

process.on('message', (message) => {
  if (message !== 'countCalls') return
  const counted = counts
  stop?.()
  counts = counted ? undefined : { ...none }
  const hook = counts && promiseHooks.createHook({ init: () => add('promises'), before: () => add('continuations') })
  stop = hook && (() => void hook())
  process.send?.({ counted })
})
// The channel does not keep the process running.
process.channel?.unref()

const { randomUUID } = crypto
crypto.randomUUID = (options) => {
  add('uuids')
  return randomUUID(options)
}
syncBuiltinESMExports()

const { parse, stringify } = JSON
JSON.parse = (text, ...rest) => {
  add('jsonRead', text.length)
  return parse(text, ...rest)
}
JSON.stringify = ((...input: Parameters<typeof stringify>) => {
  const text = stringify(...input)
  add('jsonWritten', text?.length ?? 0)
  return text
}) as typeof stringify

function add(kind: keyof CallCounts, number = 1): void {
  if (counts) counts[kind] += number
}
