import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { routes } from '../../api/routes.ts'
import type { ApiResponse } from '../harness/api-client.ts'
import { type Service, startService } from '../harness/harness.ts'
import { replaceables } from './replaceables.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const puts = routes.filter(({ method }) => method === 'PUT')
const rows = Object.entries(replaceables)

test('every PUT has a row', () => {
  expect(Object.keys(replaceables).sort()).toEqual(puts.map(({ operation }) => operation).sort())
})

test.each(rows)('%s: the row says for each optional member whether a PUT without it resets it', (operation, row) => {
  const { body } = puts.find((each) => each.operation === operation) ?? {}
  const printed = z.toJSONSchema(body ?? z.object({}), { io: 'input', unrepresentable: 'any' })
  const [first = printed] = (printed.oneOf ?? []) as (typeof printed)[]
  expect([...row.reset, ...(row.kept ?? [])].sort()).toEqual(optionalMembers(first).sort())
})

test.each(rows)('%s: a PUT resets and names omitted members, or keeps them', async (_operation, row) => {
  const { put, full } = await begin(row)
  const before = await put(full)
  expect(before).toMatchObject({ status: 200 })
  expect(before.headers).not.toHaveProperty('x-reset-fields')

  const after = await put(row.least)
  expect(after).toMatchObject({ status: 200 })
  expect(resetFieldsOf(after).sort()).toEqual([...row.reset].sort())
  for (const path of row.reset) expect(valueAt(after.body, path), path).not.toEqual(valueAt(before.body, path))
  for (const path of row.kept ?? []) expect(valueAt(after.body, path), path).toEqual(valueAt(before.body, path))
  expect(resetFieldsOf(await put(row.least))).toEqual([])
})

test.each(rows.filter(([, { nulls }]) => nulls))(
  '%s: null resets a member that stays without it',
  async (_operation, row) => {
    const { put, full } = await begin(row)
    await put(full)
    const nulls = Object.fromEntries((row.nulls ?? []).map((name) => [name, null]))
    const after = await put({ ...row.least, ...nulls })
    expect(after).toMatchObject({ status: 200 })
    for (const name of row.nulls ?? []) expect(after.body[name], name).not.toEqual(full[name])
  },
)

test.each(rows)('%s: a partial PUT keeps omitted members', async (_operation, row) => {
  const { put, full, path } = await begin(row)
  const before = await put(full)
  const after = await put(row.least, `${path}?partial=true`)
  expect(after).toMatchObject({ status: 200 })
  expect(after.headers).not.toHaveProperty('x-ignored-fields')
  // A given member is replaced as a whole.
  const members = Object.keys(row.least)
  const isGiven = (name: string) => name.includes('.') && members.includes(name.split('.')[0] ?? '')
  expect(resetFieldsOf(after).sort()).toEqual(row.reset.filter(isGiven).sort())
  const kept = Object.keys(before.body).filter((name) => !members.includes(name))
  expect(Object.fromEntries(kept.map((name) => [name, after.body[name]]))).toEqual(
    Object.fromEntries(kept.map((name) => [name, before.body[name]])),
  )
})

test.each(rows)('%s: a PUT for another version changes nothing', async (_operation, row) => {
  const { put, get, full, path } = await begin(row)
  const { etag } = (await put(full)).headers
  const before = await get(path)
  expect(before).toMatchObject({ status: 200, headers: { etag: expect.stringMatching(/^"[\w-]+"$/) } })
  expect(etag).toBe(before.headers.etag)

  for (const at of [path, `${path}?partial=true`]) {
    expect(await put(row.least, at, { 'if-match': '"other"' })).toMatchObject({
      status: 412,
      body: { code: 'PreconditionFailed', message: expect.stringContaining('Read it again') },
    })
    expect(await put(row.least, at, { 'if-none-match': '*' })).toMatchObject({ status: 412 })
  }
  expect(await get(path)).toMatchObject({ headers: { etag }, body: before.body })
  expect(await put(row.least, path, { 'if-match': String(etag) })).toMatchObject({ status: 200 })
})

test.each(rows)('%s: concurrent partial PUTs do not overwrite each other', async (_operation, row) => {
  const { put, get, full, path } = await begin(row)
  const before = await put(full)
  await put(row.least)
  const names = Object.keys(full)
  const set = async (name: string, headers = {}): Promise<void> => {
    const answer = await put({ [name]: full[name] }, `${path}?partial=true`, headers)
    if (answer.status === 412) return set(name, headers)
    expect(answer).toMatchObject({ status: 200 })
  }
  // `*` names no version. Such a request is compared too.
  await Promise.all(names.map((name, at) => set(name, at % 2 === 0 ? {} : { 'if-match': '*' })))
  const { body } = await get(path)
  expect(body).toMatchObject({ ...full, ...shownSecrets(before.body) })
})

/** Secrets are masked, and a renewed secret differs each time. */
function shownSecrets({ authorization, clientSecret, interactionHook, introspection }: Record<string, unknown>) {
  return {
    ...(authorization !== undefined && { authorization }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(introspection !== undefined && { introspection }),
    ...(interactionHook !== undefined && { interactionHook: { url: expect.any(String) } }),
  }
}

type Row = (typeof replaceables)[string]
const begun = new Map<Row, ReturnType<typeof make>>()

/** The tests of a row share its object. Each of them first gives all members a value. */
function begin(row: Row): ReturnType<typeof make> {
  const made = begun.get(row) ?? make(row)
  begun.set(row, made)
  return made
}

async function make(row: Row) {
  const tenant = await service.addTenant()
  const path = await row.make(tenant)
  const api = row.by?.(service) ?? tenant.operator
  const full: Record<string, unknown> = { ...(typeof row.full === 'function' ? await row.full(tenant) : row.full) }
  const put = (body: object, at = path, headers = {}) => api.put(at, body, headers)
  return { path, full, put, get: api.get }
}

function resetFieldsOf({ headers }: ApiResponse): string[] {
  const names = headers['x-reset-fields']
  return names === undefined ? [] : String(names).split(', ')
}

function valueAt(body: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => Object(at)[name], body)
}

/** Dotted paths of optional members, including those of required members. */
function optionalMembers(printed: z.core.JSONSchema._JSONSchema, prefix = ''): string[] {
  if (typeof printed !== 'object') return []
  return Object.entries(printed.properties ?? {}).flatMap(([name, member]) => {
    if (!printed.required?.includes(name)) return [prefix + name]
    return optionalMembers(member, `${prefix}${name}.`)
  })
}
