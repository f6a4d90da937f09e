import { nearestWord } from '../../../shared/nearest-word.ts'
import { terminalText } from './bulk/terminal-text.ts'
import { UsageError } from './command.ts'

interface Kind<Item> {
  /** Such as `view`. */
  noun: string
  /** The command that lists the items. */
  list: string
  namesOf(item: Item): readonly string[]
}

/** Returns the item with this id or name. Throws a `UsageError` if there is none, or if several have the name. */
export async function getByWord<Item extends { id: string }>(
  word: string | undefined,
  items: AsyncIterable<Item>,
  { noun, list, namesOf }: Kind<Item>,
): Promise<Item> {
  if (word === undefined) throw new UsageError(`Give the id or the name of the ${noun}. ${list} shows them`)
  const all: Item[] = []
  for await (const item of items) all.push(item)
  const matches = all.filter((item) => item.id === word || namesOf(item).includes(word))
  const [first] = matches
  const text = terminalText(word)
  if (matches.length > 1)
    throw new UsageError(
      `${matches.length} ${noun}s have the name "${text}". Give an id: ${matches.map(({ id }) => id).join(', ')}`,
    )
  if (first) return first
  const nearest = nearestWord(word, all.flatMap(namesOf))
  const advice = nearest === undefined ? '' : ` Did you mean "${terminalText(nearest)}"?`
  throw new UsageError(`There is no ${noun} "${text}".${advice} "${list}" shows the ids and the names.`)
}
