import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Badge } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { useRead } from '../../kit/use-read.ts'
import { webhookTexts } from './texts.ts'

export type TroubledWebhook = Schemas['TroubledWebhooks']['data'][number]

/** Returns the problems of webhooks by id. Other webhooks are in order. Returns undefined before the first response. */
export function useTroubledWebhooks(): ReadonlyMap<string, TroubledWebhook> | undefined {
  const { data } = useRead(() => callApi(api.GET('/v1/overview/webhooks')), [], { everyMs: 5_000 })
  return data && new Map(data.data.map((each) => [each.id, each]))
}

export function Health({
  isDisabled,
  troubledWebhook,
}: {
  isDisabled: boolean
  troubledWebhook: TroubledWebhook | undefined
}) {
  if (isDisabled) return <Badge mood="quiet">{say(webhookTexts.isDisabled)}</Badge>
  if (troubledWebhook?.pausedUntil) return <Badge mood="bad">{say(webhookTexts.isPaused)}</Badge>
  if (troubledWebhook?.reason === 'failing') return <Badge mood="bad">{say(webhookTexts.isFailing)}</Badge>
  if (troubledWebhook?.reason === 'waiting') return <Badge mood="warn">{say(webhookTexts.isWaiting)}</Badge>
  return <Badge mood="good">{say(webhookTexts.isFine)}</Badge>
}
