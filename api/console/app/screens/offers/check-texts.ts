import type { Schemas } from '../../kit/api.ts'
import { type Text, texts } from '../../kit/language.ts'

type Check = Schemas['OfferCheck']

const names: Record<Check, Text> = texts('checks')
const failed: Record<Check, Text> = texts('failedChecks')
const advice: Record<Check, Text> = texts('checkAdvice')

/** `name` is the check after it passed, `failed` after it refused the request. `advice` says what to do after its failure. */
export function checkText(check: Check): { name: Text; failed: Text; advice: Text } {
  return { name: names[check], failed: failed[check], advice: advice[check] }
}
