import { didOf } from './agreement-keys.ts'

/** Returns whether `from` of a message is the sender's DID, one of its DID URLs, or absent. */
export function isFrom({ from }: Record<string, unknown>, senderDidUrl: string): boolean {
  return from === undefined || (typeof from === 'string' && didOf(from) === didOf(senderDidUrl))
}
