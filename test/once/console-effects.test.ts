import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../api/console/app')
const stateSetter = /const \[\w+, (\w+)\] = useState\b/g
/** An effect that does nothing else, or first, than to set a value. A function of the value before overwrites nothing. */
const effectOf = (setter: string) =>
  new RegExp(String.raw`use(?:Layout)?Effect\(\s*\(\) =>\s*\{?\s*${setter}\((?!\s*\(\w*\) =>)`, 'g')
const usesOf = (setter: string) => new RegExp(String.raw`\b${setter}\b`, 'g')

/** Returns the setters of a source whose value an effect overwrites, and something else too, such as a person. */
function overwritten(source: string): string[] {
  return [...source.matchAll(stateSetter)].flatMap(([, setter = '']) => {
    const effects = [...source.matchAll(effectOf(setter))].length
    // One use is the declaration.
    const others = [...source.matchAll(usesOf(setter))].length - effects - 1
    return effects > 0 && others > 0 ? [setter] : []
  })
}

/** The state of a read, which begins again with other keys. A person does not change it. */
const ofReads = ['kit/use-read.ts: setState']

test('no effect of the console overwrites a state that a person changes: use useStateOf', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: folder })
  expect(files.length).toBeGreaterThan(100)
  const setters = files.flatMap((file) =>
    overwritten(readFileSync(join(folder, file), 'utf8')).map((setter) => `${file}: ${setter}`),
  )
  expect(setters).toEqual(ofReads)
})

test('the rule finds an effect on one line, on several lines and in a block', () => {
  const form = (effect: string) => `const [typed, setTyped] = useState('')\n${effect}\nonInput={() => setTyped('x')}`
  for (const effect of [
    'useEffect(() => setTyped(given), [given])',
    'useEffect(\n  () =>\n    setTyped(given),\n  [given],\n)',
    'useLayoutEffect(() => {\n  setTyped(given)\n}, [given])',
  ]) {
    expect(overwritten(form(effect))).toEqual(['setTyped'])
  }
  expect(overwritten(form('useEffect(() => setTyped((before) => before), [given])'))).toEqual([])
  expect(overwritten('const [everyMs, setEveryMs] = useState(1)\nuseEffect(() => setEveryMs(2), [data])')).toEqual([])
})
