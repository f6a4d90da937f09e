import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { equivalents } from './equivalents.ts'

export interface Survivor {
  file: string
  line: number
  /** The line that the mutant starts on, without its indentation. */
  original: string
  /** The code of the mutant, for a part of the line or for several lines. */
  replacement: string
  mutatorName: string
  /** `NoCoverage`: no test runs the line. */
  status: 'Survived' | 'NoCoverage'
}

export interface Score {
  /** Killed mutants per mutant, without equivalent ones. */
  percent: number
  killed: number
  survived: Survivor[]
  /** Survivors that no test can detect, by the table of equivalents. */
  equivalent: number
}

/** The parts of Stryker's result file that the score needs. */
interface Results {
  files: Record<string, { source: string; mutants: Mutant[] }>
}

interface Mutant {
  location: { start: { line: number } }
  mutatorName: string
  replacement?: string
  status: Survivor['status'] | 'Killed' | 'Timeout' | 'Ignored' | 'CompileError' | 'RuntimeError' | 'Pending'
}

/** `RuntimeError`: the mutant broke a hook of the tests. The tests did not run. */
const noticed = new Set<Mutant['status']>(['Killed', 'Timeout', 'RuntimeError'])

/** Counts the mutants that tests detect, and lists those that they do not detect. */
export function readScore(resultFile: string): Score {
  const { files }: Results = existsSync(resultFile) ? JSON.parse(readFileSync(resultFile, 'utf8')) : { files: {} }
  const mutants = Object.values(files).flatMap((file) => file.mutants)
  const killed = mutants.filter(({ status }) => noticed.has(status)).length
  const alive = Object.entries(files).flatMap(([file, { source, mutants }]) => survivorsOf(file, source, mutants))
  const survived = alive.filter((each) => !isEquivalent(each))
  const percent = (100 * killed) / (killed + survived.length || 1)
  return { percent, killed, survived, equivalent: alive.length - survived.length }
}

/**
 * Removes survivors from the results if a test has changed since. Stryker does not know which tests cover these mutants
 * then.
 */
export function forgetSurvivors(resultFile: string, tests: string[]): void {
  if (!existsSync(resultFile)) return
  const { mtimeMs } = statSync(resultFile)
  if (tests.every((test) => statSync(test).mtimeMs < mtimeMs)) return
  const results: Results = JSON.parse(readFileSync(resultFile, 'utf8'))
  for (const file of Object.values(results.files)) {
    file.mutants = file.mutants.filter(({ status }) => noticed.has(status))
  }
  writeFileSync(resultFile, JSON.stringify(results))
}

function survivorsOf(file: string, source: string, mutants: Mutant[]): Survivor[] {
  const lines = source.split('\n')
  return mutants.flatMap(({ location, mutatorName, replacement = '', status }) => {
    if (status !== 'Survived' && status !== 'NoCoverage') return []
    const { line } = location.start
    return [{ file, line, original: lines[line - 1]?.trim() ?? '', replacement, mutatorName, status }]
  })
}

function isEquivalent({ file, original, replacement }: Survivor): boolean {
  return equivalents.some(
    (known) =>
      known.file === file &&
      known.line === original &&
      (known.becomes === undefined || known.becomes.includes(replacement)),
  )
}
