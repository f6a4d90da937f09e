import { hash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import type { Group } from './groups.ts'

/** A declaration at the top level of a file. A run chooses whole declarations. Lines count from 1. */
interface Unit {
  file: string
  text: string
  first: number
  last: number
}

interface Chosen {
  group: Group
  /** Ranges of files, as Stryker takes them. */
  mutate: string[]
  /** Lines that did not fit into the time budget. */
  untested: number
}

/** The parts of Stryker's incremental file that the choice needs. */
interface Tested {
  files: Record<string, { source: string; mutants: { location: { start: { line: number } } }[] }>
}

/**
 * Chooses the declarations that each group tests in this run. Declarations that were tested before come first: they
 * cost nothing if they did not change. Others fill the time budget, in an order that follows from the seed.
 */
export function chooseUnits(
  groups: { group: Group; results: string }[],
  { seed, seconds }: { seed: string; seconds: number },
): Chosen[] {
  const sorted = groups.map(({ group, results }) => {
    const isTested = readTested(results)
    const order = (unit: Unit) => hash('sha256', `${seed} ${unit.file} ${unit.text}`)
    const units = group.files.flatMap((pattern) => globSync(pattern)).flatMap(unitsOf)
    const [done, open] = [units.filter(isTested), units.filter((unit) => !isTested(unit))]
    return { group, done, open: open.sort((one, other) => (order(one) < order(other) ? -1 : 1)) }
  })
  const needed = sum(sorted.map(({ group, open }) => group.secondsPerLine * sum(open.map(linesOf))))
  const share = Math.min(1, seconds / needed)
  return sorted.map(({ group, done, open }) => {
    const most = share * sum(open.map(linesOf))
    let lines = 0
    const taken = open.filter((unit) => {
      lines += linesOf(unit)
      return lines <= most + 1
    })
    const untested = sum(open.map(linesOf)) - sum(taken.map(linesOf))
    return { group, untested, mutate: [...done, ...taken].map(({ file, first, last }) => `${file}:${first}-${last}`) }
  })
}

function unitsOf(file: string): Unit[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  const starts = lines.flatMap((line, index) =>
    /^(export )?(async |function |const |let |class )/.test(line) ? [index] : [],
  )
  return starts.map((start) => {
    const after = lines.findIndex((line, index) => index > start && /^\S/.test(line) && !/^[)}\]]/.test(line))
    const end = after === -1 ? lines.length : after
    return { file, text: lines.slice(start, end).join('\n').trimEnd(), first: start + 1, last: end }
  })
}

function readTested(results: string): (unit: Unit) => boolean {
  if (!existsSync(results)) return () => false
  const { files }: Tested = JSON.parse(readFileSync(results, 'utf8'))
  return ({ file, text }) => {
    const { source = '', mutants = [] } = files[file] ?? {}
    const at = source.indexOf(text)
    if (at === -1) return false
    const first = source.slice(0, at).split('\n').length
    const last = first + text.split('\n').length
    return mutants.some(({ location: { start } }) => start.line >= first && start.line < last)
  }
}

function linesOf({ first, last }: Unit): number {
  return last - first + 1
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
