import { useEffect, useState } from 'preact/hooks'
import { say } from '../../kit/language.ts'
import { offerTexts } from './texts.ts'

/** Screen readers announce the time left at these numbers of seconds, and not each second. */
const announcedAt = [300, 120, 60, 30, 10]

/** Counts down to the end of an offer. */
export function OfferTimeLeft({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now)
  const [start] = useState(now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = secondsTo(until, now)
  const mark = announcedAt.findLast((each) => seconds <= each)
  const isPassed = mark !== undefined && mark < secondsTo(until, start)
  const announced = seconds === 0 ? say(offerTexts.expired) : isPassed && textOf(mark)
  return (
    <>
      <span class="left" role="timer">
        {' '}
        {textOf(seconds)}
      </span>
      <span class="announced" role="status">
        {announced}
      </span>
    </>
  )
}

function secondsTo(until: number, now: number): number {
  return Math.max(0, Math.ceil((until - now) / 1_000))
}

function textOf(seconds: number): string {
  const left = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return say(offerTexts.timeLeft, { left })
}
