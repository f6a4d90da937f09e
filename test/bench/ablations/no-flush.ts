import SqliteDatabase from 'better-sqlite3'

/** SQLite never waits for the disk and leaves deleted content in its pages. */
const setPragma = SqliteDatabase.prototype.pragma
SqliteDatabase.prototype.pragma = function (this: SqliteDatabase.Database, source, options) {
  if (source.startsWith('secure_delete')) return undefined
  return setPragma.call(this, source.startsWith('synchronous') ? 'synchronous = OFF' : source, options)
}
