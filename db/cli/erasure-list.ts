import { existsSync } from 'node:fs'
import { z } from 'zod'
import { readTextFile } from '../../shared/read-text-file.ts'

/** An erasure in a list of `npm run erasures:export`. */
export const ListedErasure = z.object({
  tenantId: z.string(),
  userId: z.string(),
  /** Absent if the erasing version had no receipts. */
  receipt: z.object({ id: z.string(), subject: z.string() }).optional(),
  erasedAt: z.iso.datetime(),
})
export type ListedErasure = z.infer<typeof ListedErasure>

/** The last line of a list. Without it, the list is incomplete. */
const ListEnd = z.object({ since: z.iso.datetime(), until: z.iso.datetime(), erasures: z.int() })

/** The options of commands that erase again. */
export const eraseOptions = { 'erase-since': { type: 'string' }, erasures: { type: 'string' } } as const

export interface ErasureList {
  /** The erasures since the date, oldest first. */
  erasures: ListedErasure[]
  /** The time of the export. */
  until: string
}

/** The advice that a command without these options prints. */
export const eraseAdvice =
  'If people were erased after the backup, they are in this database again. Erase them before you start the service: ' +
  'npm run restored -- --erase-since DATE --erasures FILE (docs/erasure.md).'

/** Reads the list that the options name. Returns undefined without the options. Throws with what to do if the list cannot be used. */
export function readErasureList(options: {
  'erase-since'?: string | undefined
  erasures?: string | undefined
}): ErasureList | undefined {
  const { 'erase-since': date, erasures: file } = options
  if (date === undefined && file === undefined) return undefined
  if (date === undefined) throw new Error('--erasures needs --erase-since DATE: the date of the backup.')
  const since = parseDate('--erase-since', date)
  if (file === undefined)
    throw new Error('--erase-since needs --erasures FILE: the newest output of `npm run erasures:export`.')
  if (!existsSync(file)) throw new Error(`There is no file at ${file}. Name an output of \`npm run erasures:export\`.`)
  const lines = readTextFile(file).trimEnd().split('\n')
  const end = parseLine(ListEnd, lines.pop())
  if (end?.erasures !== lines.length)
    throw new Error(`${file} is incomplete. Name another output of \`npm run erasures:export\`.`)
  if (new Date(end.since) > since)
    throw new Error(`${file} begins at ${end.since}. Name an output of \`npm run erasures:export -- --since ${date}\`.`)
  const erasures = lines.map((line, index) => {
    const erasure = parseLine(ListedErasure, line)
    if (!erasure) throw new Error(`${file}, line ${index + 1}: not a line of \`npm run erasures:export\`.`)
    return erasure
  })
  return { erasures: erasures.filter(({ erasedAt }) => new Date(erasedAt) >= since), until: end.until }
}

/** Returns the start of the day, in UTC, if `date` has no time. Throws if it is not a date. */
export function parseDate(option: string, date: string): Date {
  const at = new Date(date)
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(date) || Number.isNaN(at.getTime()))
    throw new Error(`${option} must be a date, such as 2026-11-20 or 2026-11-20T10:00:00Z.`)
  return at
}

function parseLine<Parsed>(schema: z.ZodType<Parsed>, line = ''): Parsed | undefined {
  try {
    return schema.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}
