import type { Answered } from '../../kit/api.ts'
import { offline, type Problem } from '../../kit/problem.ts'
import { WalletError } from './exchange.ts'

/**
 * Runs a step of the wallet. Returns a problem for what the service refused, and for a service that cannot be reached. `fields` are the
 * fields of the form by the step that refuses their value.
 */
export async function attempt<Data>(
  act: () => Promise<Data>,
  fields: Readonly<Record<string, string>> = {},
): Promise<Answered<Data>> {
  try {
    return { data: await act() }
  } catch (error) {
    if (error instanceof WalletError) return { problem: problemOf(error, fields[error.step ?? '']) }
    // An address that is not one, or a request that failed.
    if (error instanceof TypeError) return { problem: offline }
    throw error
  }
}

function problemOf({ message }: WalletError, param: string | undefined): Problem {
  return param === undefined
    ? { kind: 'conflict', message, details: [] }
    : { kind: 'invalid', details: [{ param, message }] }
}
