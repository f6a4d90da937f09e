import { randomInt } from 'node:crypto'

/** The number of digits of a transaction code. */
export const transactionCodeLength = 6

/**
 * Returns a random transaction code. The first digit is not zero, because spreadsheets and mail merges read a code as a number and drop
 * leading zeros.
 */
export function newTransactionCode(): string {
  return String(randomInt(10 ** (transactionCodeLength - 1), 10 ** transactionCodeLength))
}
