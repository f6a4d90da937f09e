import type { Schemas } from '../../kit/api.ts'
import type { Text } from '../../kit/language.ts'
import { credentialCheckTexts } from './credential-check-texts.ts'
import { failedCheckTexts } from './failed-check-texts.ts'
import { tokenCheckTexts } from './token-check-texts.ts'

type Check = Schemas['OfferCheck']

/** The name of a check and the advice after its failure, in English and German. */
type CheckRow = readonly [en: string, de: string, adviceEn: string, adviceDe: string]

const rows: Record<Check, CheckRow> = { ...tokenCheckTexts, ...credentialCheckTexts }

const failedRows: Record<Check, readonly [en: string, de: string]> = failedCheckTexts

/** `name` is the check after it passed, `failed` after it refused the request. */
export function checkText(check: Check): { name: Text; failed: Text; advice: Text } {
  const [en, de, adviceEn, adviceDe] = rows[check]
  const [failedEn, failedDe] = failedRows[check]
  return { name: { en, de }, failed: { en: failedEn, de: failedDe }, advice: { en: adviceEn, de: adviceDe } }
}
