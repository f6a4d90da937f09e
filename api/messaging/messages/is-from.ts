import { didOf } from './agreement-keys.ts'

/** Whether `from` of a message, where it has one, is the sender's DID, or a DID URL of it. */
export function isFrom({ from }: Record<string, unknown>, senderDidUrl: string): boolean {
  return from === undefined || (typeof from === 'string' && didOf(from) === didOf(senderDidUrl))
}
