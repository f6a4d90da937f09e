// Sends the claim links of a bulk issuance by your mail server, each once.
// SMTP_URL=smtps://user:password@mail.university.example node send.mjs results.jsonl --from 'Cards <cards@university.example>'
// Needs Node.js 18 or newer, and `npm install` in this folder.
import { existsSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import nodemailer from 'nodemailer'
import { openJournal } from './journal.mjs'
import { readTemplates } from './templates.mjs'
import { UsageError } from './usage-error.mjs'

const usage = `Usage: SMTP_URL=smtps://user:password@host node send.mjs RESULTS.jsonl --from ADDRESS [options]
  --test ADDRESS      Send the mail of the first row to this address, with an example instead of its link
  --per-minute N      The mails in a minute. Default: 30
  --templates FOLDER  The folder with mail.LANGUAGE.txt. Default: this folder
  --language NAME     The language of rows without a column "language". Default: en
  --failures FILE     The list of mails that were not sent. Default: RESULTS.jsonl.failures.csv
  --again             Also send mails again of which it is not known whether they were sent`

const unclear = 'It is not known whether this mail was sent. Ask the person, or use --again'

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof UsageError || error?.code?.startsWith?.('ERR_PARSE_ARGS'))) throw error
  console.error(`${error.message}\n\n${usage}`)
  process.exitCode = 2
}

async function main() {
  const { file, options } = readCommand()
  const templates = readTemplates(options.templates ?? dirname(fileURLToPath(import.meta.url)))
  const mails = readRows(file).map((row) => mailOf(row, templates, options))
  const transport = nodemailer.createTransport(process.env.SMTP_URL)
  try {
    if (options.test !== undefined) return await sendTest(transport, mails[0], options)
    return await sendAll(transport, mails, { file, ...options })
  } finally {
    transport.close()
  }
}

function readCommand() {
  const text = { type: 'string' }
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      ...{ from: text, test: text, 'per-minute': text, templates: text, language: text, failures: text },
      again: { type: 'boolean' },
    },
  })
  const [file] = positionals
  const { from, language = 'en', 'per-minute': perMinute = '30', ...others } = values
  if (file === undefined || positionals.length > 1) throw new UsageError('Give one file of results.')
  if (from === undefined) throw new UsageError('--from is required.')
  if (!process.env.SMTP_URL) throw new UsageError('Set SMTP_URL to the address of your mail server.')
  if (!(Number(perMinute) > 0)) throw new UsageError('--per-minute must be a number above 0.')
  return { file, options: { ...others, from, language, pauseMs: 60_000 / Number(perMinute) } }
}

/** Returns the rows of results in JSON Lines. A CSV file would have changed texts that look like formulas. */
function readRows(file) {
  if (!existsSync(file)) throw new UsageError(`There is no file ${file}.`)
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  try {
    const rows = lines.map((line) => JSON.parse(line))
    if (rows.length > 0 && rows.every(({ link }) => typeof link === 'string')) return rows
  } catch {
    // The message below says what is expected.
  }
  throw new UsageError(
    `${file} must have claim links in JSON Lines. Save them with: trustwright bulk results ID --out results.jsonl`,
  )
}

/** Returns the mail of a row, or the reason why it cannot be sent. The transaction code is no part of it. */
function mailOf({ transactionCode: _, ...row }, templates, { language, test }) {
  const link = test === undefined ? row.link : new URL('/l/EXAMPLE', row.link).href
  const named = { row: row.row, externalId: row.externalId ?? '', link: row.link }
  const address = typeof row.email === 'string' ? row.email.trim() : ''
  if (!/^[^\s@,;<>"]+@[^\s@,;<>"]+$/.test(address)) return { ...named, failure: 'The column email has no address' }
  const template = templates.get(row.language || language) ?? templates.get(language)
  if (!template) throw new UsageError(`There is no template mail.${language}.txt.`)
  const { missing, subject, text } = template.fill({ ...row, link })
  if (missing.length > 0) return { ...named, failure: `There is no value for ${missing.join(', ')}` }
  return { ...named, address, subject, text }
}

async function sendTest(transport, mail, { test, from }) {
  if (mail.failure) throw new UsageError(`Row ${mail.row}: ${mail.failure}.`)
  const subject = `[Test] ${mail.subject}`
  try {
    await transport.sendMail({ from, to: { name: '', address: test }, subject, text: mail.text })
  } catch (error) {
    console.error(`The mail was not sent: ${error.message}`)
    return 1
  }
  console.log(`The mail of row ${mail.row} was sent to ${test}.`)
  return 0
}

/** Sends each mail that the journal does not have. Returns the exit code. */
async function sendAll(transport, mails, { file, from, pauseMs, again, failures = `${file}.failures.csv` }) {
  const journal = openJournal(`${file}.journal`)
  const failed = []
  let sent = 0
  let skipped = 0
  let left = 0
  let isStopped = false
  try {
    for (const mail of mails) {
      const before = journal.stateOf(mail.link)
      if (before === 'sent') skipped++
      else if (isStopped) left++
      else if (before === 'sending' && !again) failed.push({ ...mail, failure: unclear })
      else if (mail.failure) failed.push(mail)
      else {
        if (sent > 0) await sleep(pauseMs)
        const failure = await sendOne(transport, mail, { from, journal })
        if (failure === undefined) sent++
        else failed.push({ ...mail, failure: failure.message })
        if (failure?.isLast) {
          console.log(`Stopped at row ${mail.row}: ${failure.message}`)
          isStopped = true
        }
      }
    }
  } finally {
    journal.close()
  }
  writeFailures(failures, failed)
  console.log(`Sent: ${sent}. Sent before: ${skipped}. Not sent: ${failed.length}. Left: ${left}.`)
  if (failed.length > 0) console.log(`The reasons are in ${failures}. The same command tries again.`)
  return failed.length > 0 ? 1 : 0
}

/**
 * Sends a mail, and writes to the journal before and after. Returns undefined if the server has taken the mail. A mail whose content was
 * sent without an answer stays open in the journal, because the server can have taken it.
 */
async function sendOne(transport, { row, link, address, subject, text }, { from, journal }) {
  const messageId = journal.begin(row, link, from)
  try {
    await transport.sendMail({ from, to: { name: '', address }, subject, text, messageId })
    journal.end(link, 'sent')
    return undefined
  } catch (error) {
    const isRefused =
      error.responseCode !== undefined ||
      error.code === 'EAUTH' ||
      ['CONN', 'MAIL FROM', 'RCPT TO'].includes(error.command)
    if (isRefused) journal.end(link, 'failed')
    // Without a connection or a sign-in, no other mail can be sent.
    const isLast = error.command === 'CONN' || error.code === 'EAUTH'
    return { message: isRefused ? error.message : unclear, isLast }
  }
}

/** The file has the last failures only. It is removed when there are none. */
function writeFailures(file, failed) {
  if (failed.length === 0) return existsSync(file) && unlinkSync(file)
  const lines = failed.map(({ row, externalId, failure }) => [row, externalId, failure].map(cellOf).join(','))
  writeFileSync(file, `row,externalId,reason\r\n${lines.join('\r\n')}\r\n`)
}

/** A spreadsheet would run a text that begins like a formula. */
function cellOf(value) {
  const text = String(value).replace(/[\r\n]+/g, ' ')
  return `"${(/^\s*[=+\-@]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}
