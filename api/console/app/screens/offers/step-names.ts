import { say, type Text, texts } from '../../kit/language.ts'

const names: Readonly<Record<string, Text>> = texts('steps')

/** Returns the name of a step. For some steps the service adds details after a colon. */
export function stepName(step: string): string {
  const [own = '', ...details] = step.split(': ')
  const name = Object.hasOwn(names, own) ? names[own] : undefined
  return [name ? say(name) : own.replace(/^./, (first) => first.toUpperCase()), ...details].join(': ')
}
