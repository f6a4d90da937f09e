import { createHash } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import { UsageError } from './usage-error.mjs'

/**
 * Opens the journal of the mails: a line in JSON before and after each mail, on the disk before the mail is sent. It has no address and no
 * link, but a hash of each link, so a new link of a row is sent again. Throws if another run uses it.
 */
export function openJournal(file) {
  const lock = lockOf(`${file}.lock`)
  const states = new Map()
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  // The last line is incomplete if the computer stopped during the write.
  for (const line of lines.slice(0, -1)) {
    const { link, state } = JSON.parse(line)
    states.set(link, state)
  }
  const output = openSync(file, 'a', 0o600)
  if (lines.at(-1)) writeSync(output, '\n')

  function write(link, entry) {
    writeSync(output, `${JSON.stringify({ link, ...entry, at: new Date().toISOString() })}\n`)
    fsyncSync(output)
    states.set(link, entry.state)
  }
  return {
    /** Returns `sent`, `sending` (the end is not known), `failed`, or undefined. */
    stateOf: (link) => states.get(hashOf(link)),
    /** Writes that a mail is about to be sent. Returns its Message-ID, which is the same in each attempt. */
    begin(row, link, from) {
      write(hashOf(link), { row, state: 'sending' })
      return `<${hashOf(link)}@${/@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'}>`
    },
    end: (link, state) => write(hashOf(link), { state }),
    close() {
      closeSync(output)
      lock.release()
    },
  }
}

function hashOf(link) {
  return createHash('sha256').update(link).digest('base64url')
}

/** Two runs at once would send mails twice. The lock of a run that has ended is replaced. */
function lockOf(file) {
  const owner = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  if (owner > 0 && isRunning(owner))
    throw new UsageError(`The process ${owner} is sending these mails. Wait until it has ended.`)
  if (existsSync(file)) unlinkSync(file)
  const lock = openSync(file, 'wx')
  writeSync(lock, String(process.pid))
  closeSync(lock)
  return { release: () => unlinkSync(file) }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}
