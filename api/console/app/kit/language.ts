import { effect, signal } from '@preact/signals'
import { fillText, type TextEntry } from '../../../../shared/texts/fill-text.ts'
import type english from '../languages/en.json'

/** The texts of the console in one language, by table and name. */
type Tables = typeof english

type Values = Readonly<Record<string, string | number>>

/** A text in the language of the reader. `{name}` is a placeholder. */
export interface Text {
  /** The same in each language, for the keys of components, which keep their state when the language changes. */
  id: string
  fill: (values?: Values) => string
}

/** Loads the texts of a language, by the path of its file. Each file in `languages/` adds a language. */
const files = import.meta.glob<Tables>('../languages/*.json', { import: 'default' })
const [folder, ending] = ['../languages/', '.json']

/** The tags of the languages of the console. */
export const languages: readonly string[] = Object.keys(files).map((path) => path.slice(folder.length, -ending.length))

const storageKey = 'console-language'

/** The language that the user chose before, or else the language of the browser. */
export const language = signal(firstLanguage())

const tables = signal<Tables | undefined>(undefined)

/** Adds the texts to the tables of the modules of the first view. */
const waiting: ((loaded: Tables) => void)[] = []

effect(() => {
  document.documentElement.lang = language.value
})

/**
 * Loads the texts of the first language. The console is shown after that. A module that waited for it would get a file of its own for each
 * screen.
 */
export async function loadTexts(): Promise<void> {
  const loaded = await load(language.value)
  for (const addAll of waiting.splice(0)) addAll(loaded)
  tables.value = loaded
}

/** Loads a language and shows it. */
export async function chooseLanguage(chosen: string): Promise<void> {
  tables.value = await load(chosen)
  localStorage.setItem(storageKey, chosen)
  language.value = chosen
}

/** Returns the name of a language in this language, with a capital: “Deutsch”. */
export function nameOfLanguage(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  return name.replace(/^./u, (letter) => letter.toLocaleUpperCase(tag))
}

async function load(tag: string): Promise<Tables> {
  const file = files[folder + tag + ending]
  if (!file) throw new Error(`no texts in ${tag}`)
  return file()
}

function firstLanguage(): string {
  const wished = [localStorage.getItem(storageKey) ?? '', ...navigator.languages].map((each) => each.slice(0, 2))
  return wished.find((each) => languages.includes(each)) ?? 'en'
}

/** Returns the locale for times and numbers: the reader's region in the language of the console. */
export function locale(): string {
  return navigator.languages.find((each) => each.slice(0, 2) === language.value) ?? language.value
}

/** Returns a text in the reader's language. Components that call it render again when the language changes. */
export function say(text: Text, values?: Values): string {
  return text.fill(values)
}

/**
 * Returns the texts of a table in the files of languages. Each folder of screens names its tables in its `texts.ts`. Modules of the first view
 * call it before the first language is loaded. They can use the names of its texts at once, and list them after that.
 */
export function texts<Name extends keyof Tables>(table: Name): Record<keyof Tables[Name], Text> {
  const made = {} as Record<keyof Tables[Name], Text>
  const add = (name: keyof Tables[Name]) => {
    // Boundary: a test checks that each entry of the files is a text or has plural forms.
    const fill = (values?: Values) => fillText(tables.value?.[table][name] as TextEntry, locale(), values)
    made[name] ??= { id: `${table}.${String(name)}`, fill }
    return made[name]
  }
  const addAll = (loaded: Tables) => {
    for (const name of Object.keys(loaded[table])) add(name as keyof Tables[Name])
  }
  const loaded = tables.peek()
  if (loaded) {
    addAll(loaded)
    return made
  }
  waiting.push(addAll)
  return new Proxy(made, {
    get: (_, name: string & keyof Tables[Name]) => (tables.peek() ? made[name] : add(name)),
  })
}

/** Returns data, such as a name, as a text. It is the same in each language. */
export function verbatim(data: string): Text {
  return { id: data, fill: () => data }
}

/** Returns a text whose placeholders have these values. */
export function filled(text: Text, values: Values): Text {
  return { id: `${text.id} ${Object.values(values)}`, fill: () => text.fill(values) }
}
