import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Reading } from './use-read.ts'

type Children<Data> = (data: Data, etag: string | undefined, showTheirs: () => void) => ComponentChildren

/**
 * Shows a form that edits data that was read. The form starts with the current version and stays with it, whatever is read meanwhile.
 * `showTheirs` reads again and restarts with the current version.
 */
export function Versioned<Data>({ of, children }: { of: Reading<Data>; children: Children<Data> }) {
  const [revision, setRevision] = useState(0)
  const showTheirs = () => void of.reload().then(() => setRevision(revision + 1))
  if (of.data === undefined) return null
  return <Version key={revision} data={of.data} etag={of.etag} {...{ showTheirs, children }} />
}

function Version<Data>(props: {
  data: Data
  etag: string | undefined
  showTheirs: () => void
  children: Children<Data>
}) {
  const [{ data, etag }] = useState(props)
  return <>{props.children(data, etag, props.showTheirs)}</>
}
