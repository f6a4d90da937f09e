import { effect, signal } from '@preact/signals'

/** What people read, in each language of the console. `{name}` stands for a value (`say`). */
export interface Text {
  en: string
  de: string
}

export type Language = keyof Text

export const languages: Record<Language, string> = { en: 'English', de: 'Deutsch' }

const keptAt = 'console-language'

/** As it was chosen here before, else as the browser has it. */
export const language = signal<Language>(firstLanguage())

effect(() => {
  document.documentElement.lang = language.value
})

export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(keptAt, chosen)
  language.value = chosen
}

function firstLanguage(): Language {
  const wished = [localStorage.getItem(keptAt) ?? '', ...navigator.languages].map((each) => each.slice(0, 2))
  return wished.find((each): each is Language => each in languages) ?? 'en'
}

/** How the reader's part of the world writes times and numbers, in the language of the console. */
export function locale(): string {
  return navigator.languages.find((each) => each.slice(0, 2) === language.value) ?? language.value
}

/** A text in the reader's language; components that call it are drawn anew when the language changes. */
export function say(text: Text, values: Record<string, string | number> = {}): string {
  return text[language.value].replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

/** A table of texts, as each folder of screens has one in its `texts.ts`. */
export function texts<Table extends Record<string, Text>>(table: Table): Table {
  return table
}
