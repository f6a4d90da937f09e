import { effect, signal } from '@preact/signals'

/** A text in each language of the console. `{name}` is a placeholder, which `say` replaces. */
export interface Text {
  en: string
  de: string
}

export type Language = keyof Text

export const languages: Record<Language, string> = { en: 'English', de: 'Deutsch' }

const storageKey = 'console-language'

/** The language that the user chose before, or else the language of the browser. */
export const language = signal<Language>(firstLanguage())

effect(() => {
  document.documentElement.lang = language.value
})

export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(storageKey, chosen)
  language.value = chosen
}

function firstLanguage(): Language {
  const wished = [localStorage.getItem(storageKey) ?? '', ...navigator.languages].map((each) => each.slice(0, 2))
  return wished.find((each): each is Language => each in languages) ?? 'en'
}

/** Returns the locale for times and numbers: the reader's region in the language of the console. */
export function locale(): string {
  return navigator.languages.find((each) => each.slice(0, 2) === language.value) ?? language.value
}

/** Returns a text in the reader's language. Components that call it render again when the language changes. */
export function say(text: Text, values: Record<string, string | number> = {}): string {
  return text[language.value].replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

/** Declares a table of texts. Each folder of screens has one in its `texts.ts`. */
export function texts<Table extends Record<string, Text>>(table: Table): Table {
  return table
}
