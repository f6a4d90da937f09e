import type { paths } from '../../../../shared/client/client.ts'
import { countOf } from '../count-of.ts'

type Operation = paths['/v1/configuration/plan']['post']
export type PlanResponse = Operation['responses'][200]['content']['application/json']

const signs = { create: '+', update: '~', replace: '!', adopt: '=', move: '=', delete: '-' } as const

/** Returns the text of a plan: a line for each change, and its members below it. */
export function describePlan({ changes, pending }: PlanResponse): string {
  if (changes.length === 0) return ['The tenant is equal to its files', ...pending.map(describePending)].join('\n')
  const lines = changes.flatMap(({ op, path, fields, why, isDestructive }) => {
    const head = `${signs[op]} ${op.padEnd(7)} ${path}${isDestructive || op === 'adopt' || op === 'move' ? `  (${why})` : ''}`
    const members =
      op === 'create' ? [] : fields.map((field) => `    ${field.path}: ${show(field.from)} -> ${show(field.to)}`)
    return [head, ...members]
  })
  const destroyed = changes.filter(({ isDestructive }) => isDestructive).length
  const total = `${countOf(changes.length, 'change')}${destroyed > 0 ? `, ${destroyed} of them destructive` : ''}`
  return [...lines, ...pending.map(describePending), total].join('\n')
}

function describePending(path: string): string {
  return `The keys of ${path} are being created`
}

const maxLength = 80

function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}
