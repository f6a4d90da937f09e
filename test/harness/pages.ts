import type { Api } from './api-client.ts'

/** Reads a list up to its last page. Returns the entries of each page. `path` must have a query. */
export async function pagesOf<Entry>(api: Api, path: string): Promise<Entry[][]> {
  const pages: Entry[][] = []
  let cursor = ''
  do {
    const { status, body } = await api.get(path + cursor)
    if (status !== 200) throw new Error(`GET ${path}${cursor}: status ${status}`)
    pages.push(body.data)
    cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : ''
  } while (cursor)
  return pages
}
