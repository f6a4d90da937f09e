import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { Column, eq, is, Param, Placeholder, SQL, sql } from 'drizzle-orm'
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres'
import { migrate as migratePostgres } from 'drizzle-orm/node-postgres/migrator'
import * as pgCore from 'drizzle-orm/pg-core'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DatabaseUnavailable, isConnectionLost, translateError } from '../../db/engine/unavailable.ts'
import { int32, message, ready, rowsAnswer, text, typesOf } from '../servers/postgres-protocol.ts'
import { internal, migrationTimes } from './internal.ts'

const query = 'db/engine/postgres-query.ts'
const pool = 'db/engine/postgres-pool.ts'
const compiled = 'db/engine/compiled-query.ts'
const preparedFile = 'db/engine/prepared.ts'

test.each(['pg', 'drizzle-orm'])('package.json pins the installed version of %s', (name) => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  const installed = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'))
  expect(manifest.dependencies[name]).toBe(installed.version)
})

let server: Server
let url: string
/** The bytes of each write that the server received, after the start of the session. */
let received: Buffer[]
/** What the server answers to a Sync message; undefined for no answer. */
let answer: Buffer | 'close' | undefined

beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', int32(0)), ready]))
      socket.on('data', (bytes) => {
        received.push(bytes)
        const type = String.fromCharCode(bytes[0] ?? 0)
        if (type === 'X') socket.end()
        else if (type === 'Q') socket.write(Buffer.concat([message('C', text('SET')), ready]))
        else if (answer === 'close') socket.destroy()
        else if (answer) socket.write(answer)
      })
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Boundary: the address of a TCP server.
  url = `postgres://user@127.0.0.1:${(server.address() as AddressInfo).port}/database`
})
afterAll(() => server.close())

internal(query, 'Client.query submits an object with `submit`, and Connection sends its messages with one write', () =>
  onClient(async (client) => {
    answer = rowsAnswer
    const { submittable, done } = recorder((connection) => {
      connection.stream.cork()
      connection.close({ type: 'S', name: 'one' }, true)
      connection.parse({ name: 'one', text: 'SELECT $1', types: [] }, true)
      connection.bind({ statement: 'one', values: ['a', Buffer.from('b'), null] }, true)
      connection.describe({ type: 'P' }, true)
      connection.execute(null, true)
      connection.sync()
      connection.stream.uncork()
    })
    client.query(submittable)
    await done
    expect(received.map(typesOf)).toEqual(['CPBDES'])
  }),
)

internal(query, 'Client calls the handlers of a submittable with `fields`, `dataTypeID` and `text`', () =>
  onClient(async (client) => {
    answer = rowsAnswer
    const { submittable, calls, done } = recorder((connection) => connection.sync())
    client.query(submittable)
    await done
    expect(calls).toMatchObject([
      ['handleRowDescription', { fields: [{ dataTypeID: 23 }, { dataTypeID: 25 }] }],
      ['handleDataRow', { fields: ['7', null] }],
      ['handleCommandComplete', { text: 'SELECT 1' }],
      ['handleReadyForQuery', {}],
    ])
  }),
)

internal(query, 'Client calls `handleError` with the code of the server, and is usable again', () =>
  onClient(async (client) => {
    answer = Buffer.concat([message('E', text('SERROR'), text('C22012'), text('Mno'), Buffer.from([0])), ready])
    const failed = recorder((connection) => connection.sync())
    client.query(failed.submittable)
    await failed.done
    expect(failed.calls).toMatchObject([['handleError', { code: '22012', message: 'no' }]])
    answer = rowsAnswer
    const next = recorder((connection) => connection.sync())
    client.query(next.submittable)
    await next.done
    expect(next.calls.at(-1)?.[0]).toBe('handleReadyForQuery')
  }),
)

internal(query, 'Client replaces `callback` of a submittable when `query_timeout` is set', () =>
  onClient(
    async (client) => {
      answer = rowsAnswer
      const { submittable, done } = recorder((connection) => connection.sync())
      const own = submittable.callback
      client.query(submittable)
      expect(submittable.callback).not.toBe(own)
      await done
    },
    { query_timeout: 60_000 },
  ),
)

internal('db/engine/unavailable.ts', 'the messages of errors that pg gives no code', async () => {
  const silent = async (client: pg.Client) => {
    answer = undefined
    return failureOf(client.query({ text: 'SELECT 1', name: 'silent' }))
  }
  await onClient(async (client) => expectUnavailable(await silent(client), false), { query_timeout: 20 })
  await onClient(async (client) => {
    answer = 'close'
    expectUnavailable(await failureOf(client.query({ text: 'SELECT 1', name: 'lost' })), true)
    expectUnavailable(await failureOf(client.query('SELECT 1')), true)
  })
  const ended = new pg.Client(url)
  await ended.connect()
  await ended.end()
  expectUnavailable(await failureOf(ended.query('SELECT 1')), true)
  await onPool({ max: 1 }, async (own) => {
    const client = await own.connect()
    own.options.connectionTimeoutMillis = 20
    expectUnavailable(await failureOf(own.connect()), false)
    client.release()
    await own.end()
    expectUnavailable(await failureOf(own.connect()), false)
  })
})

internal(pool, 'Pool waits for `onConnect` before it returns a new connection', () => {
  let isSet = false
  const onConnect = async (client: pg.ClientBase) => {
    await client.query('SET a = b')
    isSet = true
  }
  return onPool({ onConnect }, async (own) => {
    const client = await own.connect()
    expect(isSet).toBe(true)
    client.release()
  })
})

internal('db/engine/postgres.ts', 'Pool has `totalCount`, `idleCount` and `waitingCount`; `release(true)` closes', () =>
  onPool({ max: 1 }, async (own) => {
    const client = await own.connect()
    const waiting = own.connect()
    expect(own).toMatchObject({ totalCount: 1, idleCount: 0, waitingCount: 1 })
    client.release(true)
    const next = await waiting
    expect(next).not.toBe(client)
    next.release()
    expect(own).toMatchObject({ totalCount: 1, idleCount: 1, waitingCount: 0 })
  }),
)

const pgItems = pgCore.pgTable('items', { id: pgCore.text('id'), at: pgCore.timestamp('at', { withTimezone: true }) })
const pgOthers = pgCore.pgTable('others', { id: pgCore.text('id') })

interface PreparedByDrizzle {
  fields: { path: string[]; field: unknown }[]
  joinsNotNullableMap: Record<string, boolean>
  params: unknown[]
  queryConfig: { name: string; text: string; types: { getTypeParser(type: number, format: string): unknown } }
}

// Boundary: these are the private members that the engine reads.
const preparedJoin = () =>
  drizzlePostgres
    .mock()
    .select({
      item: pgItems,
      length: sql<number>`length(${pgItems.id})`.mapWith(Number),
      named: sql<string>`lower(${pgItems.id})`.as('named'),
    })
    .from(pgItems)
    .leftJoin(pgOthers, eq(pgOthers.id, pgItems.id))
    .where(eq(pgItems.id, sql`${sql.param(sql.placeholder('id'), pgItems.id)} || ${sql.placeholder('plain')}`))
    .prepare('join') as unknown as PreparedByDrizzle

internal(query, 'A prepared query of node-postgres has `queryConfig`, `params` and `fields`', () => {
  const { queryConfig, params, fields } = preparedJoin()
  expect(queryConfig).toMatchObject({ name: 'join', text: expect.stringMatching(/^select .*\$1 \|\| \$2$/) })
  expect(queryConfig.types.getTypeParser(23, 'text')).toBeTypeOf('function')
  expect(params).toHaveLength(2)
  expect(fields).toHaveLength(4)
  const write = drizzlePostgres.mock().delete(pgItems).prepare('write') as unknown as PreparedByDrizzle
  expect(write.fields).toBeUndefined()
})

internal(
  compiled,
  'A parameter is a `Placeholder`, or a `Param` with `encoder` whose `value` is a `Placeholder`',
  () => {
    const [encoded, plain] = preparedJoin().params
    expect(is(plain, Placeholder) && plain.name).toBe('plain')
    expect(is(encoded, Param) && is(encoded.value, Placeholder) && encoded.value.name).toBe('id')
    expect(is(encoded, Param) && encoded.encoder.mapToDriverValue).toBeTypeOf('function')
  },
)

internal(
  compiled,
  'A field has `path` and is a `Column`, an `SQL` with `decoder`, or an object whose `sql` has it',
  () => {
    const { fields, joinsNotNullableMap } = preparedJoin()
    expect(fields.map(({ path }) => path)).toEqual([['item', 'id'], ['item', 'at'], ['length'], ['named']])
    const [column, , expression, named] = fields.map(({ field }) => field)
    expect(is(column, Column) && column.mapFromDriverValue).toBeTypeOf('function')
    expect(is(expression, SQL)).toBe(true)
    expect(expression).toMatchObject({ decoder: { mapFromDriverValue: expect.any(Function) } })
    expect(expression).not.toHaveProperty('sql')
    expect(named).toMatchObject({ sql: { decoder: { mapFromDriverValue: expect.any(Function) } } })
    expect(joinsNotNullableMap).toEqual({ items: true, others: false })
  },
)

internal(preparedFile, '`$client` of a Drizzle database is the client that it was opened with', () => {
  const client = { query: async () => ({ rows: [] }) }
  // Boundary: `Queryable` replaces the client.
  expect(drizzlePostgres(client as unknown as pg.Client)).toHaveProperty('$client', client)
})

internal(preparedFile, 'A column has `name`, `getSQLType`, `mapToDriverValue` and `mapFromDriverValue`', () => {
  const { at } = pgItems
  expect(at.name).toBe('at')
  expect(at.getSQLType()).toBe('timestamp with time zone')
  expect(at.mapToDriverValue(new Date(0))).toBe('1970-01-01T00:00:00.000Z')
  expect(at.mapFromDriverValue('1970-01-01 00:00:00+00')).toEqual(new Date(0))
})

internal('db/engine/postgres.ts', 'Drizzle calls only `query` of its client, which returns a promise', async () => {
  const used = new Set<PropertyKey>()
  const client = new Proxy(
    { query: async () => ({ rows: [{ count: '0' }] }) },
    {
      get(target, name) {
        used.add(name)
        return Reflect.get(target, name)
      },
    },
  )
  const db = drizzlePostgres(client as unknown as pg.Client)
  used.clear() // `drizzle` examines whether its argument is a configuration.
  await db.select().from(pgItems)
  await db.insert(pgItems).values({ id: 'a' })
  await db.update(pgItems).set({ id: 'b' })
  await db.delete(pgItems)
  await db.$count(pgItems)
  expect([...used]).toEqual(['query'])
})

internal(
  'db/engine/postgres.ts',
  'The migrator of PostgreSQL stores `created_at` in `drizzle.__drizzle_migrations`',
  async () => {
    const texts: string[] = []
    const client = {
      async query(asked: string | { text: string }) {
        texts.push(typeof asked === 'string' ? asked : asked.text)
        return { rows: [] }
      },
    }
    await migratePostgres(drizzlePostgres(client as unknown as pg.Client), {
      migrationsFolder: 'db/migrations/postgres',
    })
    const inserts = texts.filter((each) =>
      /^insert into "drizzle"\."__drizzle_migrations" \(.*"created_at"\)/.test(each),
    )
    expect(inserts).toHaveLength(migrationTimes('postgres').length)
  },
)

/** A submittable that records which of its handlers pg calls. */
function recorder(submit: (connection: pg.Connection) => void) {
  const calls: [string, unknown][] = []
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const record = (name: string) => (argument: unknown) => {
    calls.push([name, argument])
    if (name === 'handleReadyForQuery' || name === 'handleError') resolve()
  }
  const handlers = ['RowDescription', 'DataRow', 'CommandComplete', 'ReadyForQuery', 'Error'].map(
    (each) => `handle${each}`,
  )
  const submittable = {
    ...{ submit, callback: () => undefined },
    ...Object.fromEntries(handlers.map((name) => [name, record(name)])),
  }
  return { submittable, calls, done }
}

async function onClient(use: (client: pg.Client) => Promise<void>, config: pg.ClientConfig = {}): Promise<void> {
  received = []
  const client = new pg.Client({ connectionString: url, ...config })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await use(client)
  } finally {
    await client.end()
  }
}

async function onPool(config: pg.PoolConfig, use: (own: pg.Pool) => Promise<void>): Promise<void> {
  received = []
  const own = new pg.Pool({ connectionString: url, ...config })
  try {
    await use(own)
  } finally {
    if (!own.ended) await own.end()
  }
}

async function failureOf(asked: Promise<unknown>): Promise<unknown> {
  return asked.then(
    () => undefined,
    (error: unknown) => error,
  )
}

function expectUnavailable(error: unknown, isLost: boolean): void {
  expect(error).not.toHaveProperty('code')
  expect(translateError(error), String(error)).toBeInstanceOf(DatabaseUnavailable)
  expect(isConnectionLost(error), String(error)).toBe(isLost)
}
