import { dataOf, type Fetched } from './errors.ts'

interface Page {
  nextCursor?: string | undefined
}

interface ListPage<Item> extends Page {
  data: Item[]
}

/** Requests page by page until there is no `nextCursor`. Throws a `TrustwrightError` for an error response. */
export async function* pagesOf<Content extends Page>(
  read: (query: { cursor?: string }) => Promise<Fetched<Content>>,
): AsyncGenerator<NonNullable<Content>> {
  let cursor: string | undefined
  do {
    const page = await dataOf(read(cursor === undefined ? {} : { cursor }))
    yield page
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

/** Returns the items of all pages of a list. */
export async function* itemsOf<Item>(
  read: (query: { cursor?: string }) => Promise<Fetched<ListPage<Item>>>,
): AsyncGenerator<Item> {
  for await (const page of pagesOf(read)) yield* page.data
}
