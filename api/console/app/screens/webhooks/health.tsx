import { api, ask, type Schemas } from '../../kit/api.ts'
import { Badge } from '../../kit/bits.tsx'
import { say } from '../../kit/language.ts'
import { useRead } from '../../kit/use-read.ts'
import { webhookTexts } from './texts.ts'

export type Trouble = Schemas['TroubledWebhooks']['data'][number]

/** What is wrong with webhooks, by their ids; all others are in order. Undefined until that is known. */
export function useTroubles(): ReadonlyMap<string, Trouble> | undefined {
  const { data } = useRead(() => ask(api.GET('/v1/overview/webhooks')), [], { everyMs: 5_000 })
  return data && new Map(data.data.map((each) => [each.id, each]))
}

export function Health({ isDisabled, trouble }: { isDisabled: boolean; trouble: Trouble | undefined }) {
  if (isDisabled) return <Badge mood="quiet">{say(webhookTexts.isDisabled)}</Badge>
  if (trouble?.pausedUntil) return <Badge mood="bad">{say(webhookTexts.isPaused)}</Badge>
  if (trouble?.reason === 'failing') return <Badge mood="bad">{say(webhookTexts.isFailing)}</Badge>
  if (trouble?.reason === 'waiting') return <Badge mood="warn">{say(webhookTexts.isWaiting)}</Badge>
  return <Badge mood="good">{say(webhookTexts.isFine)}</Badge>
}
