import { Badge, Bar } from '../../kit/elements.tsx'
import { locale, say } from '../../kit/language.ts'
import { commonTexts } from '../../kit/texts.ts'
import { numberText } from '../../kit/when.tsx'
import { listTexts } from './list-texts.ts'
import { type Bulk, moods } from './states.ts'

export function StateBadge({ state }: Pick<Bulk, 'state'>) {
  return <Badge mood={moods[state]}>{say(listTexts[state])}</Badge>
}

/** The issued part of the valid rows, with the rate and the time that is left. */
export function Progress({ of }: { of: Bulk }) {
  const { state, total, valid, done, failed, perSecond, etaSeconds } = of
  if (state === 'receiving' || state === 'validating') return <>{say(listTexts.rowsRead, { count: total })}</>
  if (state === 'failed') return <>–</>
  const label = say(listTexts.issued, { done: numberText(done), valid: numberText(valid) })
  const part = valid === 0 ? 0 : (done + failed) / valid
  return (
    <>
      <Bar part={part} label={label} mood={state === 'done' ? 'good' : 'quiet'} />
      {perSecond !== undefined && (
        <small>
          {' '}
          {say(listTexts.perSecond, { rate: numberText(perSecond) })}
          {etaSeconds !== undefined && ` · ${say(commonTexts.left, { time: durationText(etaSeconds) })}`}
        </small>
      )}
    </>
  )
}

const units = [
  ['hour', 3_600, 2],
  ['minute', 60, 2],
] as const

/** “40 seconds”, “3 minutes”, “2 hours”. */
function durationText(seconds: number): string {
  const [unit, size] = units.find(([, each, from]) => seconds >= each * from) ?? (['second', 1] as const)
  const format = { style: 'unit', unit, unitDisplay: 'long' } as const
  return new Intl.NumberFormat(locale(), format).format(Math.ceil(seconds / size))
}
