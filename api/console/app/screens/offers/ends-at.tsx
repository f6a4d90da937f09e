import { useEffect, useState } from 'preact/hooks'
import { endOf } from '../../kit/end-of.ts'
import { say } from '../../kit/language.ts'
import { When } from '../../kit/when.tsx'
import { offerTexts } from './texts.ts'

/** The end of an offer that is made now. The role is that of a clock, so that screen readers do not announce each second. */
export function EndsAt({ minutes }: { minutes: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const end = endOf(new Date(now), { minutes })
  if (!end) return null
  return (
    <p class="soft" role="timer">
      {say(offerTexts.expiresOn)} <When at={end.getTime()} />
    </p>
  )
}
