import { randomInt } from 'node:crypto'

/** The number of digits of a transaction code. */
export const transactionCodeLength = 6

/** Returns a random transaction code. */
export function newTransactionCode(): string {
  return String(randomInt(10 ** transactionCodeLength)).padStart(transactionCodeLength, '0')
}
