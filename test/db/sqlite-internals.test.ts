import SqliteDatabase from 'better-sqlite3'
import { eq, Placeholder, sql } from 'drizzle-orm'
import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3'
import { migrate as migrateSqlite } from 'drizzle-orm/better-sqlite3/migrator'
import * as sqliteCore from 'drizzle-orm/sqlite-core'
import { expect } from 'vitest'
import { internal, migrationTimes } from './internal.ts'

const sqliteItems = sqliteCore.sqliteTable('items', { id: sqliteCore.text('id') })

internal(
  'db/engine/sqlite-query.ts',
  'A prepared query of better-sqlite3 has `stmt`, `query.params` and `fields`',
  () => {
    const database = new SqliteDatabase(':memory:')
    database.exec("CREATE TABLE items (id TEXT); INSERT INTO items VALUES ('a')")
    const read = drizzleSqlite(database)
      .select()
      .from(sqliteItems)
      .where(eq(sqliteItems.id, sql.placeholder('id')))
      .prepare() as unknown as { stmt: SqliteDatabase.Statement; query: { params: unknown[] }; fields: unknown[] }
    expect(read.fields).toHaveLength(1)
    expect(read.query.params).toMatchObject([expect.any(Placeholder)])
    expect(read.stmt.raw().all(['a'])).toEqual([['a']])
    expect(drizzleSqlite(database).delete(sqliteItems).prepare()).toMatchObject({ fields: undefined })
    database.close()
  },
)

internal(
  'db/engine/sqlite-statements.ts',
  'Drizzle calls only `prepare` of its client, and `run`, `all`, `get` and `raw` of a statement',
  async () => {
    const used = new Set<PropertyKey>()
    const statement = new Proxy({} as Record<PropertyKey, unknown>, {
      get(_, name) {
        used.add(name)
        return name === 'raw' ? () => statement : () => (name === 'all' ? [[0]] : undefined)
      },
    })
    class Client {
      prepare() {
        return statement
      }
    }
    const client = new Proxy(new Client(), {
      get(target, name) {
        if (name !== 'constructor') used.add(name)
        return Reflect.get(target, name)
      },
    })
    const db = drizzleSqlite(client as unknown as SqliteDatabase.Database)
    used.clear() // `drizzle` examines whether its argument is a configuration.
    db.select().from(sqliteItems).where(eq(sqliteItems.id, 'a')).all()
    db.select().from(sqliteItems).get()
    db.insert(sqliteItems).values({ id: 'a' }).run()
    db.update(sqliteItems).set({ id: 'b' }).run()
    db.delete(sqliteItems).run()
    db.all(sql`SELECT 1`)
    db.get(sql`SELECT 1`)
    db.run(sql`SELECT 1`)
    await db.$count(sqliteItems)
    expect(used).toEqual(new Set(['prepare', 'raw', 'all', 'get', 'run']))
  },
)

internal('db/engine/sqlite.ts', 'The migrator of SQLite stores `created_at` in `__drizzle_migrations`', () => {
  const database = new SqliteDatabase(':memory:')
  migrateSqlite(drizzleSqlite(database), { migrationsFolder: 'db/migrations/sqlite' })
  const stored = database.prepare('SELECT created_at FROM __drizzle_migrations').pluck().all()
  expect(stored).toEqual(migrationTimes('sqlite'))
  database.close()
})
