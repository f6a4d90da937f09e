import Negotiator from 'negotiator'
import type { Headers } from '../../http/route.ts'

/** Selects the entry for the reader's language. Otherwise selects the entry without a language, or the first. */
export function forReader<Each extends { locale?: string | undefined }>(
  all: readonly Each[],
  headers: Headers,
): Each | undefined {
  const locales = all.flatMap(({ locale }) => (locale === undefined ? [] : [locale]))
  const [preferredLocale] =
    headers['accept-language'] === undefined ? [] : new Negotiator({ headers }).languages(locales)
  const ofReader = preferredLocale === undefined ? undefined : all.find(({ locale }) => locale === preferredLocale)
  return ofReader ?? all.find(({ locale }) => locale === undefined) ?? all[0]
}
