import { isDeepStrictEqual } from 'node:util'
import { findProblem, Problem } from '../../shared/errors/errors.ts'
import { tagOf } from '../http/if-match.ts'
import type { Executing } from './execution.ts'
import type { Content, Kind, Part } from './kind.ts'
import type { Operations } from './operations.ts'
import { listPath, partItems } from './parts.ts'

interface Owner {
  /** The parameters of the routes of the parts. */
  params: Record<string, string>
  /** The views of the parts before the change. */
  parts: ReadonlyMap<Part, readonly Content[]>
}

interface Difference {
  part: Part
  routes: Operations
  /** The views of items that the file leaves out. */
  removed: Content[]
  /** The other items with their views, which new items do not have. */
  kept: { item: unknown; at: number; view: Content | undefined }[]
}

/** Changes the parts of an object to those of the content for a request. It removes items first, so that new items have room. */
export async function executeParts(
  executing: Executing,
  kind: Kind,
  content: Content,
  { params, parts }: Owner,
): Promise<void> {
  const own = executing.operations.get(kind)?.parts
  const differences = [...(own ?? [])].map(([part, routes]) => {
    return { part, routes, ...compareItems(part, partItems(part, content), parts.get(part) ?? []) }
  })
  for (const difference of differences) await removeItems(executing, difference, params)
  for (const difference of differences) await writeItems(executing, difference, params)
}

function compareItems(
  part: Part,
  items: readonly unknown[],
  views: readonly Content[],
): Pick<Difference, 'removed' | 'kept'> {
  const keyOfItem = (item: unknown) => (part.refersTo ? String(item) : part.keyOf(item))
  const byKey = new Map(views.map((view) => [part.refersTo ? String(view.id) : part.keyOf(view), view]))
  const wanted = new Set(items.map(keyOfItem))
  return {
    removed: [...byKey].filter(([key]) => !wanted.has(key)).map(([, view]) => view),
    kept: items.map((item, at) => ({ item, at, view: byKey.get(keyOfItem(item)) })),
  }
}

async function removeItems(
  { call, deleted }: Executing,
  { part, routes: { remove, idParam }, removed }: Difference,
  params: Record<string, string>,
): Promise<void> {
  if (!remove || !idParam) return
  for (const { id } of removed) {
    // The deletion of a credential type removes its assignments.
    if (part.refersTo && deleted.has(String(id))) continue
    await inMember(listPath(part), () => call(remove, { params: { ...params, [idParam]: String(id) } }))
  }
}

async function writeItems(
  { call }: Executing,
  { part, routes: { create, replace, idParam }, kept }: Difference,
  params: Record<string, string>,
): Promise<void> {
  const { refersTo } = part
  for (const { item, at, view } of kept) {
    await inMember(`${listPath(part)}.${at}`, async () => {
      if (!view && create) {
        const content = refersTo ? { [refersTo.member]: item } : item
        await call(create, { params, body: create.body?.parse(content) })
      } else if (view && replace && idParam) {
        const body = replace.body?.parse(item)
        if (isDeepStrictEqual(body, replace.body?.parse(view))) return
        const headers = { 'if-match': tagOf(view) }
        await call(replace, { params: { ...params, [idParam]: String(view.id) }, body, headers })
      }
    })
  }
}

/** Adds the path of a member to a problem. */
async function inMember(path: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const problem = findProblem(error)
    if (!problem || problem.status >= 500) throw error
    const { message, details = [{ msg: message, param: '', location: 'body' as const }] } = problem
    const param = (name: string) => (name === '' ? path : `${path}.${name}`)
    const inList = details.map((detail) => ({ ...detail, param: param(detail.param) }))
    throw new Problem(problem.problem, { message, details: inList, cause: error })
  }
}
