/**
 * A text in one language. `{name}` is a placeholder. A text that depends on the number `count` has a form for each plural category of the
 * language (CLDR), and always `other`.
 */
export type TextEntry = string | { readonly other: string; readonly [category: string]: string }

/**
 * Returns the text with its placeholders replaced. `locale` formats numbers and selects the plural form for `values.count`. A placeholder
 * without a value stays.
 */
export function fillText(
  text: TextEntry,
  locale: string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return formOf(text, locale, Number(values.count)).replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name] ?? placeholder
    return typeof value === 'number' ? value.toLocaleString(locale) : value
  })
}

function formOf(text: TextEntry, locale: string, count: number): string {
  return typeof text === 'string' ? text : (text[new Intl.PluralRules(locale).select(count)] ?? text.other)
}
