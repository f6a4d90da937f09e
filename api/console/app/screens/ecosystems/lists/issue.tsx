import { useLocation, useRoute } from 'preact-iso'
import { DownloadButton } from '../../../kit/download.tsx'
import { Facts, Section } from '../../../kit/elements.tsx'
import { say } from '../../../kit/language.ts'
import { Screen } from '../../../kit/screen.tsx'
import { Shown } from '../../../kit/states.tsx'
import { to, useQuery } from '../../../kit/url-state.ts'
import { useRead } from '../../../kit/use-read.ts'
import { When } from '../../../kit/when.tsx'
import { Addresses } from './addresses.tsx'
import { Content } from './content.tsx'
import { Differences } from './differences.tsx'
import { type Issue, kindNames, type ListKind, loadLists, publicPath } from './list-calls.ts'
import { nextUpdateOf } from './schedule.ts'
import { listTexts } from './texts.ts'
import '../ecosystems.css'

/** One published list: its content, or its differences from an earlier list. */
export default function IssueScreen() {
  const { path } = useLocation()
  const { params } = useRoute()
  const kind: ListKind = path.includes('/vicals/') ? 'vical' : 'rical'
  const { id: ecosystemId = '', number = '' } = params
  const lists = useRead(() => loadLists(ecosystemId, kind), [ecosystemId, kind])
  const [{ since }] = useQuery()
  const issue = lists.data?.issues.find((each) => String(each.number) === number)
  return (
    <Screen
      title={`${kindNames[kind]} ${number}`}
      up={{
        href: to(`/ecosystems/${ecosystemId}`, { tab: `${kind}s` }),
        title: say(kind === 'vical' ? listTexts.vicals : listTexts.ricals),
      }}
      actions={issue && <Downloads ecosystemId={ecosystemId} kind={kind} issue={issue} />}
    >
      <Shown of={lists}>
        {({ issues }) => (
          <>
            {issue && <IssueFacts ecosystemId={ecosystemId} kind={kind} issue={issue} />}
            <Section
              title={say(since ? listTexts.compare : listTexts.content)}
              actions={<Compared issues={issues} number={Number(number)} />}
            >
              {since ? (
                <Differences ecosystemId={ecosystemId} kind={kind} number={number} since={since} />
              ) : (
                <Content ecosystemId={ecosystemId} kind={kind} number={number} />
              )}
            </Section>
          </>
        )}
      </Shown>
    </Screen>
  )
}

interface OfIssue {
  ecosystemId: string
  kind: ListKind
  issue: Issue
}

function IssueFacts({ ecosystemId, kind, issue }: OfIssue) {
  return (
    <>
      <Facts
        of={[
          [listTexts.date, <When key="date" at={issue.date} />],
          [listTexts.how, say(issue.isAutoPublished ? listTexts.byItself : listTexts.byHand)],
          [listTexts.due, <When key="due" at={nextUpdateOf(issue)} />],
        ]}
      />
      <Addresses of={[[listTexts.thisAt, publicPath(ecosystemId, kind, `/${issue.number}`)]]} />
    </>
  )
}

function Downloads({ ecosystemId, kind, issue: { number, filename } }: OfIssue) {
  const path = publicPath(ecosystemId, kind, `/${number}`)
  return (
    <>
      <DownloadButton calls={[]} label=".cbor" path={path} name={filename} accept="application/cbor" />
      <DownloadButton
        calls={[]}
        label=".cwt"
        path={path}
        name={filename.replace('.cbor', '.cwt')}
        accept="application/cwt"
      />
    </>
  )
}

/** Chooses the earlier list for the comparison. */
function Compared({ issues, number }: { issues: readonly Issue[]; number: number }) {
  const [{ since }, change] = useQuery()
  const earlier = issues.filter((each) => each.number < number)
  if (earlier.length === 0) return null
  return (
    <label>
      {say(listTexts.compareWith)}{' '}
      <select value={since ?? ''} onChange={(event) => change({ since: event.currentTarget.value, q: undefined })}>
        <option value="">{say(listTexts.nothing)}</option>
        {earlier.map((each) => (
          <option key={each.number} value={String(each.number)}>
            {each.number} ({each.date.slice(0, 10)})
          </option>
        ))}
      </select>
    </label>
  )
}
