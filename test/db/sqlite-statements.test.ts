import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SqliteStatements } from '../../db/engine/sqlite-statements.ts'

/** The statements that a connection keeps. */
const maxStatements = 256

let dir: string
let connection: SqliteDatabase.Database
let prepare: ReturnType<typeof vi.spyOn>
let statements: SqliteStatements
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'trustwright-statements-'))
  connection = new SqliteDatabase(join(dir, 'items.sqlite'))
  connection.exec("CREATE TABLE items (id TEXT, note TEXT); INSERT INTO items VALUES ('a', 'first'), ('b', 'second')")
  prepare = vi.spyOn(connection, 'prepare')
  statements = new SqliteStatements(connection)
})
afterEach(() => {
  connection.close()
  rmSync(dir, { recursive: true })
})

const select = 'SELECT id, note FROM items WHERE id = ?'

test('a text is prepared once, and each execution has its own values', () => {
  expect(statements.prepare(select).all('a')).toEqual([{ id: 'a', note: 'first' }])
  expect(statements.prepare(select).get('b')).toEqual({ id: 'b', note: 'second' })
  expect(statements.prepare(select).get('c')).toBeUndefined()
  expect(() => statements.prepare(select).get()).toThrow('Too few parameter values')
  expect(prepare).toHaveBeenCalledTimes(1)

  const remove = 'DELETE FROM items WHERE id = ?'
  expect(['a', 'a', 'b'].map((id) => statements.prepare(remove).run(id).changes)).toEqual([1, 0, 1])
  expect(prepare).toHaveBeenCalledTimes(2)
})

test('users of the same text can have rows as objects and as arrays', () => {
  const objects = statements.prepare(select)
  const arrays = statements.prepare(select).raw()
  expect(arrays.all('a')).toEqual([['a', 'first']])
  expect(objects.all('a')).toEqual([{ id: 'a', note: 'first' }])
  expect(statements.prepare(select).raw().get('b')).toEqual(['b', 'second'])
  expect(objects.get('b')).toEqual({ id: 'b', note: 'second' })
  expect(prepare).toHaveBeenCalledTimes(2)
})

test('an invalid text fails each time', () => {
  for (let time = 0; time < 2; time++) {
    expect(() => statements.prepare('SELECT missing FROM items').all()).toThrow('no such column: missing')
    expect(() => statements.prepare('SELECT missing FROM items').raw()).toThrow('no such column: missing')
  }
})

test('a kept statement reads the tables that another process has changed', () => {
  const kept = statements.prepare(select)
  expect(kept.get('a')).toEqual({ id: 'a', note: 'first' })
  const other = new SqliteDatabase(join(dir, 'items.sqlite'))
  other.exec(`
    CREATE TABLE new_items (id TEXT PRIMARY KEY, added TEXT, note TEXT) WITHOUT ROWID;
    INSERT INTO new_items SELECT id, 'now', 'new ' || note FROM items;
    DROP TABLE items;
    ALTER TABLE new_items RENAME TO items`)
  other.close()
  expect(kept.get('a')).toEqual({ id: 'a', note: 'new first' })
  expect(statements.prepare(select).raw().get('b')).toEqual(['b', 'new second'])
})

test('the texts used last are kept, and their number is limited', () => {
  const texts = Array.from({ length: maxStatements + 1 }, (_, at) => `SELECT ${at}`)
  for (const text of texts.slice(0, -1)) statements.prepare(text).get()
  statements.prepare('SELECT 0').get()
  expect(prepare).toHaveBeenCalledTimes(maxStatements)
  statements.prepare(`SELECT ${maxStatements}`).get()
  statements.prepare('SELECT 0').get()
  expect(prepare).toHaveBeenCalledTimes(maxStatements + 1)
  statements.prepare('SELECT 1').get()
  expect(prepare).toHaveBeenCalledTimes(maxStatements + 2)
})
