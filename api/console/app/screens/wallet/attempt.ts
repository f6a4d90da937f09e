import { LateCredential } from '../../../../../shared/wallet/collect.ts'
import { StepError } from '../../../../../shared/wallet/exchange.ts'
import type { Answered } from '../../kit/api.ts'
import { say } from '../../kit/language.ts'
import { offline, type Problem } from '../../kit/problem.ts'
import { WalletError } from './exchange.ts'
import { walletTexts } from './texts.ts'

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
    if (error instanceof StepError) return { problem: problemOf(textOfRefusal(error), fields[error.step]) }
    if (error instanceof LateCredential) return { problem: problemOf(say(walletTexts.tooSlow)) }
    if (error instanceof WalletError) return { problem: problemOf(error.message) }
    // An address that is not one, or a request that failed.
    if (error instanceof TypeError) return { problem: offline }
    throw error
  }
}

function textOfRefusal({ step, reason }: StepError): string {
  return say(walletTexts.refused, { step, error: reason })
}

function problemOf(message: string, param?: string): Problem {
  return param === undefined
    ? { kind: 'conflict', message, details: [] }
    : { kind: 'invalid', details: [{ param, message }] }
}
