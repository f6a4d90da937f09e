import { writeFileSync } from 'node:fs'
import { getTableName } from 'drizzle-orm'
import { dayMs, hourMs } from '../../shared/clock.ts'
import type { RetentionRule } from '../retention/retention-rule.ts'
import { contentRetentionMs, retentionRules } from '../retention/retention-table.ts'
import { type TableDescription, tableDescriptions } from '../retention/table-descriptions.ts'

/** `npm run docs:data-model`: writes docs/data-model.md from the retention table and the descriptions of the tables. */
const page = new URL('../../docs/data-model.md', import.meta.url)

/** Returns the text of the page. Throws for a description without a table. */
export function printDataModel(): string {
  const rules = new Map(retentionRules.map((rule) => [getTableName(rule.table), rule]))
  const sections = Object.entries(tableDescriptions).map(([domain, tables]) => {
    const rows = Object.entries(tables).map(([name, description]) => {
      const rule = rules.get(name)
      if (!rule) throw new Error(`db/retention/table-descriptions.ts describes ${name}, which is not a table.`)
      return rowOf(name, description, rule)
    })
    const head = ['| Table | Purpose | Removed with | Retention |', '|---|---|---|---|']
    return [`## ${domain}`, '', ...head, ...rows].join('\n')
  })
  return `${introduction}\n\n${sections.join('\n\n')}\n`
}

function rowOf(name: string, { purpose, note }: TableDescription, rule: RetentionRule): string {
  const retention = [ageText(rule), note].filter((text) => text !== undefined).join(' ')
  return `| \`${name}\` | ${purpose} | ${ownersOf(rule)} | ${retention} |`
}

function ownersOf({ tenant, user, with: hanging }: RetentionRule): string {
  const owners = [hanging && `\`${getTableName(hanging.owner)}\``, user && 'user', tenant && 'tenant']
  return owners.filter((owner) => owner !== undefined).join(', ') || '-'
}

function ageText({ ages }: RetentionRule): string | undefined {
  if (!ages) return undefined
  const column = `\`${ages.by.name}\``
  return ages.afterMs === 0 ? `Until ${column}.` : `${durationText(ages.afterMs)} after ${column}.`
}

function durationText(ms: number): string {
  const [count, unit] = ms % dayMs === 0 ? [ms / dayMs, 'day'] : [ms / hourMs, 'hour']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

const introduction = `# Data model

This page lists each table with its purpose, its owner and its retention. It is printed from \`db/retention/\`. Do not edit it: run
\`npm run docs:data-model\`.

- **Removed with** names the owners of a row: its tenant, its user, or a row of another table. The row is removed when one of them is removed.
- **Retention** is the age at which a row is purged. Upkeep purges every minute. A row without an age stays until it is deleted or an owner is removed.
- Signed credentials in \`issuances\` are removed ${durationText(contentRetentionMs)} after the request. The row itself stays longer.
- \`participant_evidence\` has an \`expires_at\` only while its upload is incomplete, and after its removal.
- Tables refer to each other without foreign keys ([decision 4](decisions/0004-no-foreign-keys.md)).
- [Erasing a person](backup-and-audit.md#erasing-a-person) describes what happens to the rows of a user.
- The columns are in \`db/tables/\`, one folder for each domain.`

if (import.meta.main) writeFileSync(page, printDataModel())
