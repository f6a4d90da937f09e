import type { Answered } from './api.ts'

/** Requests page by page. Returns all pages, or the first problem. */
export async function readPages<Page extends { nextCursor?: string }>(
  ask: (query: { cursor?: string }) => Promise<Answered<Page>>,
): Promise<Answered<Page[]>> {
  const pages: Page[] = []
  let cursor: string | undefined
  do {
    const { data, problem } = await ask(cursor === undefined ? {} : { cursor })
    if (problem) return { problem }
    pages.push(data)
    cursor = data.nextCursor
  } while (cursor !== undefined)
  return { data: pages }
}
