import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from './usage-error.mjs'

/**
 * Returns the templates of a folder by language: `mail.en.txt`, `mail.de.txt`. The first line is the subject. `{{name}}` is the value of a
 * column. Throws for a template with the transaction code: anyone who reads the mail could then collect the credential.
 */
export function readTemplates(folder) {
  const templates = readdirSync(folder).flatMap((name) => {
    const [, language] = /^mail\.([A-Za-z-]+)\.txt$/.exec(name) ?? []
    return language === undefined ? [] : [[language, readTemplate(name, readFileSync(join(folder, name), 'utf8'))]]
  })
  return new Map(templates)
}

const placeholder = /\{\{\s*([^{}]+?)\s*\}\}/g

function readTemplate(name, content) {
  const [, subject, text] = /^Subject: (.+?)\r?\n\r?\n([\s\S]+)$/.exec(content) ?? []
  if (subject === undefined) throw new UsageError(`${name} must begin with "Subject: ...", followed by an empty line.`)
  const names = [...content.matchAll(placeholder)].map(([, column]) => column)
  if (names.includes('transactionCode'))
    throw new UsageError(`${name}: send the transaction code through another channel.`)
  if (!names.includes('link')) throw new UsageError(`${name} must contain {{link}}.`)
  return {
    /** Returns the mail with the values of a row, and the names of columns without a value. */
    fill(row) {
      const missing = [...new Set(names)].filter((column) => !Object.hasOwn(row, column) || row[column] === '')
      const filled = (part) => part.replace(placeholder, (_, column) => String(row[column]))
      return { missing, subject: filled(subject).replace(/\s+/g, ' '), text: filled(text) }
    },
  }
}
