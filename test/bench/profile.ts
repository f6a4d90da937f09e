import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Node {
  id: number
  callFrame: { functionName: string; url: string; lineNumber: number }
  children?: number[]
}

interface CpuProfile {
  nodes: Node[]
  startTime: number
  samples: number[]
  timeDeltas: number[]
}

interface SelfTime {
  what: string
  microseconds: number
}

export interface ProcessProfile {
  process: string
  busyMicroseconds: number
  functions: SelfTime[]
  places: SelfTime[]
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Such as `CPU.20260102.030405.1234.0.001.cpuprofile`: date, time, process, thread, number. The main thread is 0. */
const mainThreadFile = /^CPU\.\d+\.\d+\.\d+\.0\.\d+\.cpuprofile$/

/**
 * Self times of the main thread of each process between two moments of the monotonic clock, longest first. Each process has a folder with
 * the profiles of its threads.
 */
export function readProfiles(dir: string, { from, to }: { from: number; to: number }): ProcessProfile[] {
  return globSync(join(dir, '*/*.cpuprofile'))
    .filter((file) => mainThreadFile.test(basename(file)))
    .map((file) => summarize(basename(dirname(file)), JSON.parse(readFileSync(file, 'utf8')), from, to))
}

export function printProfile({ process, busyMicroseconds, functions, places }: ProcessProfile, count: number): void {
  console.log(
    `\n${process}: ${Math.round(busyMicroseconds / count)} µs of wall time that its main thread was busy or held up, per flow`,
  )
  for (const [title, entries, most] of [
    ['by package or file', places, 25],
    ['by function', functions, 40],
  ] as const) {
    console.log(`  ${title}`)
    for (const { what, microseconds } of entries.slice(0, most)) {
      const share = ((microseconds / busyMicroseconds) * 100).toFixed(1)
      console.log(`  ${(microseconds / count).toFixed(1).padStart(9)} µs ${share.padStart(5)} %  ${what}`)
    }
  }
}

function summarize(process: string, profile: CpuProfile, from: number, to: number): ProcessProfile {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const parents = new Map(profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)))
  const functions = new Map<string, number>()
  const places = new Map<string, number>()
  let busyMicroseconds = 0
  let at = profile.startTime
  for (const [position, id] of profile.samples.entries()) {
    // A sample counts until the next sample.
    at += profile.timeDeltas[position] ?? 0
    const took = profile.timeDeltas[position + 1] ?? 0
    const node = nodes.get(id)
    if (!node || at < from || at > to || node.callFrame.functionName === '(idle)') continue
    busyMicroseconds += took
    add(functions, functionOf(node, parents), took)
    add(places, placeOf(node, parents), took)
  }
  return { process, busyMicroseconds, functions: sorted(functions), places: sorted(places) }
}

/** A built-in function has no file. The name of its caller is added. */
function functionOf(node: Node, parents: Map<number, Node>): string {
  const { functionName, url, lineNumber } = node.callFrame
  const name = functionName || '(anonymous)'
  if (url) return `${name} ${shortOf(url)}:${lineNumber + 1}`
  const caller = parents.get(node.id)
  return caller?.callFrame.url ? `${name} [built in] < ${functionOf(caller, parents)}` : name
}

/** A file of the project, a package, or a module of Node. */
function placeOf(node: Node, parents: Map<number, Node>): string {
  const { url, functionName } = node.callFrame
  if (!url) {
    const caller = parents.get(node.id)
    return caller?.callFrame.url ? placeOf(caller, parents) : functionName
  }
  const [, packageName] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
  return packageName ? `npm:${packageName}` : shortOf(url)
}

function shortOf(url: string): string {
  const path = url.startsWith('file:') ? fileURLToPath(url) : url
  return path.replace(root, '').replace(/.*node_modules\//, 'npm:')
}

function add(sums: Map<string, number>, what: string, microseconds: number): void {
  sums.set(what, (sums.get(what) ?? 0) + microseconds)
}

function sorted(sums: Map<string, number>): SelfTime[] {
  return [...sums]
    .map(([what, microseconds]) => ({ what, microseconds }))
    .sort((a, b) => b.microseconds - a.microseconds)
}
