import type { ComponentChildren } from 'preact'
import type { Schemas } from '../../../kit/api.ts'
import { Id } from '../../../kit/copy.tsx'
import { Badge, Facts } from '../../../kit/elements.tsx'
import { say } from '../../../kit/language.ts'
import { Ago, numberText, When } from '../../../kit/when.tsx'
import { failTexts, integrationTexts } from './texts.ts'

type Integration = Schemas['Integration']
type Result = Schemas['IntegrationResult']

/** An imported list and the result of its last fetch. */
export function IntegrationResult(props: { of: Integration; certificatesHref: string; children?: ComponentChildren }) {
  const { of, certificatesHref, children } = props
  const { format, url, enabled, trustAnchors = [], integrationResult: result } = of
  return (
    <article class="integration">
      <header class="head">
        <h3>{url}</h3>
        <Badge mood="quiet">{format}</Badge>
        <State enabled={enabled} result={result} />
      </header>
      {format === 'RICAL' && <p class="soft">{say(integrationTexts.readers)}</p>}
      {result && <Failure of={result} />}
      {result && <Facts of={factsOf(result, trustAnchors.length, certificatesHref)} />}
      {children && <div class="actions acts">{children}</div>}
    </article>
  )
}

function State({ enabled, result }: { enabled: boolean; result: Result | undefined }) {
  if (!enabled) return <Badge mood="quiet">{say(integrationTexts.disabled)}</Badge>
  if (!result) return <Badge mood="warn">{say(integrationTexts.waiting)}</Badge>
  return (
    <Badge mood={result.success ? 'good' : 'bad'}>
      {say(result.success ? integrationTexts.good : integrationTexts.bad)}
    </Badge>
  )
}

function Failure({ of: { failReasons = [], lastModifiedAt } }: { of: Result }) {
  if (failReasons.length === 0) return null
  return (
    <div class="problem">
      {failReasons.map(({ type, message }) => (
        <p key={type}>
          {failTexts[type] && <strong>{say(failTexts[type])} </strong>}
          <span class="soft">{message}</span>
        </p>
      ))}
      {lastModifiedAt && <p>{say(integrationTexts.stays)}</p>}
    </div>
  )
}

function factsOf(result: Result, anchors: number, certificatesHref: string) {
  const { certificatesCount: count, changes, skippedEntries: skipped, pinnedRootFingerprint: pinned } = result
  return [
    [integrationTexts.tried, <Ago key="tried" at={result.lastSyncedAt} />],
    [integrationTexts.listDate, result.lastModifiedAt && <When at={result.lastModifiedAt} />],
    [
      integrationTexts.certificates,
      count !== undefined && (
        <a key="certificates" href={certificatesHref}>
          {numberText(count)}
        </a>
      ),
    ],
    [
      integrationTexts.changes,
      changes && (
        <>
          {say(integrationTexts.changed, { ...changes })}, <Ago at={changes.at} />
        </>
      ),
    ],
    [integrationTexts.skipped, skipped && skipped.count > 0 && <Skipped of={skipped} />],
    [integrationTexts.pinned, pinned && <Id value={pinned} />],
    [integrationTexts.anchors, anchors > 0 && numberText(anchors)],
  ] as const
}

function Skipped({ of: { count, first } }: { of: NonNullable<Result['skippedEntries']> }) {
  return (
    <details>
      <summary>{numberText(count)}</summary>
      <ul>
        {first.map(({ index, reason }) => (
          <li key={index}>{say(integrationTexts.skippedOne, { index, reason })}</li>
        ))}
      </ul>
    </details>
  )
}
