import type { Schemas } from '../../kit/api.ts'
import type { Text } from '../../kit/language.ts'
import { credentialCheckTexts } from './credential-check-texts.ts'
import { tokenCheckTexts } from './token-check-texts.ts'

type Check = Schemas['OfferCheck']

/** In English and German: what a check is called, and what to do where it refuses. */
type CheckRow = readonly [en: string, de: string, adviceEn: string, adviceDe: string]

const rows: Record<Check, CheckRow> = { ...tokenCheckTexts, ...credentialCheckTexts }

export function checkText(check: Check): { name: Text; advice: Text } {
  const [en, de, adviceEn, adviceDe] = rows[check]
  return { name: { en, de }, advice: { en: adviceEn, de: adviceDe } }
}
