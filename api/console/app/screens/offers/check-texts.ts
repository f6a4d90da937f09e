import type { Schemas } from '../../kit/api.ts'
import type { Text } from '../../kit/language.ts'
import { credentialCheckTexts } from './credential-check-texts.ts'
import { tokenCheckTexts } from './token-check-texts.ts'

type Check = Schemas['OfferCheck']

/** The name of a check and the advice after its failure, in English and German. */
type CheckRow = readonly [en: string, de: string, adviceEn: string, adviceDe: string]

const rows: Record<Check, CheckRow> = { ...tokenCheckTexts, ...credentialCheckTexts }

export function checkText(check: Check): { name: Text; advice: Text } {
  const [en, de, adviceEn, adviceDe] = rows[check]
  return { name: { en, de }, advice: { en: adviceEn, de: adviceDe } }
}
